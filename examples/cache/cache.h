// A cache that many threads read and few write: readers share the lock. The tutorial
// (docs/tutorial.md) is about what is wrong with it; with -DFIXED it is right.
#pragma once

#include <atomic>
#include <mutex>
#include <optional>
#include <shared_mutex>
#include <string>
#include <unordered_map>

#ifdef FIXED
using Counter = std::atomic<long>;
#else
using Counter = long;
#endif

class Cache {
 public:
  explicit Cache(std::size_t capacity) : capacity_(capacity) {}

  std::optional<int> get(const std::string& key) {
    const std::shared_lock lock(mutex_);
    const auto it = entries_.find(key);
    if (it == entries_.end()) {
      ++misses_;
      return std::nullopt;
    }
    ++hits_;
    it->second.last_used = ++clock_;
    return it->second.value;
  }

  void put(const std::string& key, int value) {
    const std::unique_lock lock(mutex_);
    if (entries_.size() >= capacity_ && !entries_.contains(key)) evict();
    Entry& entry = entries_[key];
    entry.value = value;
    entry.last_used = ++clock_;
  }

  long hits() const { return hits_; }
  long misses() const { return misses_; }

 private:
  struct Entry {
    int value = 0;
    Counter last_used = 0;
  };

  void evict() {
    auto oldest = entries_.begin();
    for (auto it = entries_.begin(); it != entries_.end(); ++it) {
      if (it->second.last_used < oldest->second.last_used) oldest = it;
    }
    entries_.erase(oldest);
  }

  const std::size_t capacity_;
  std::shared_mutex mutex_;
  std::unordered_map<std::string, Entry> entries_;
  Counter clock_ = 0;
  Counter hits_ = 0;
  Counter misses_ = 0;
};
