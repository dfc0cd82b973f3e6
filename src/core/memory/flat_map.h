// Open addressing with linear probing and backward-shift deletion, in a Pool. Keys are integers,
// values are moved bytewise; the key ~0 is the caller's to avoid.
#pragma once

#include <bit>
#include <cassert>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <utility>

#include "core/memory/pool.h"
#include "core/memory/prefetch.h"

namespace steward {

template <class K, class V>
class FlatMap {
  static_assert(std::is_unsigned_v<K>);
  static_assert(std::is_trivially_copyable_v<V>);

 public:
  static constexpr K kNoKey = static_cast<K>(~K{0});
  struct Entry {
    K key;
    V value;
  };

  explicit FlatMap(Pool& pool) : pool_(&pool) {}
  FlatMap(const FlatMap&) = delete;
  FlatMap& operator=(const FlatMap&) = delete;
  FlatMap(FlatMap&& o) noexcept
      : pool_(o.pool_),
        entries_(std::exchange(o.entries_, nullptr)),
        capacity_(std::exchange(o.capacity_, 0)),
        size_(std::exchange(o.size_, 0)) {}
  ~FlatMap() { drop(); }

  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }

  V* find(K key) {
    if (capacity_ == 0) return nullptr;
    for (std::size_t i = home(key);; i = next(i)) {
      if (entries_[i].key == key) return &entries_[i].value;
      if (entries_[i].key == kNoKey) return nullptr;
    }
  }
  const V* find(K key) const { return const_cast<FlatMap*>(this)->find(key); }

  // Soon find(key) will be asked.
  void prefetch(K key) const {
    if (capacity_ != 0) prefetch_line(&entries_[home(key)]);
  }

  // The value of `key`, inserted as `fresh` when absent. References last until the next insertion.
  V& get(K key, const V& fresh = V{}) {
    assert(key != kNoKey);
    if (V* v = find(key)) return *v;
    if (size_ >= capacity_ / 4 * 3) rehash(capacity_ == 0 ? 4 : capacity_ * 2);
    std::size_t i = home(key);
    while (entries_[i].key != kNoKey) i = next(i);
    entries_[i] = Entry{key, fresh};
    ++size_;
    return entries_[i].value;
  }

  bool erase(K key) {
    if (capacity_ == 0) return false;
    std::size_t i = home(key);
    while (entries_[i].key != key) {
      if (entries_[i].key == kNoKey) return false;
      i = next(i);
    }
    // Close the gap: move back every follower that may sit at the freed place.
    for (std::size_t j = next(i); entries_[j].key != kNoKey; j = next(j)) {
      const std::size_t h = home(entries_[j].key);
      const bool movable = i <= j ? (h <= i || h > j) : (h <= i && h > j);
      if (movable) {
        entries_[i] = entries_[j];
        i = j;
      }
    }
    entries_[i].key = kNoKey;
    --size_;
    // Give memory back once the table is nearly empty, so that what is held follows what is live.
    if (capacity_ > 16 && size_ < capacity_ / 8) rehash(capacity_ / 2);
    return true;
  }

  void clear() { drop(); }

  template <class F>
  void for_each(F f) const {
    for (std::size_t i = 0; i < capacity_; ++i) {
      if (entries_[i].key != kNoKey) f(entries_[i].key, entries_[i].value);
    }
  }
  template <class F>
  void for_each(F f) {
    for (std::size_t i = 0; i < capacity_; ++i) {
      if (entries_[i].key != kNoKey) f(entries_[i].key, entries_[i].value);
    }
  }

 private:
  std::size_t home(K key) const {
    const std::uint64_t h = static_cast<std::uint64_t>(key) * 0x9e37'79b9'7f4a'7c15u;
    return static_cast<std::size_t>(h >> 32) & (capacity_ - 1);
  }
  std::size_t next(std::size_t i) const { return (i + 1) & (capacity_ - 1); }

  void rehash(std::uint32_t capacity) {
    Entry* old = entries_;
    const std::size_t old_capacity = capacity_;
    entries_ = static_cast<Entry*>(pool_->allocate(std::size_t{capacity} * sizeof(Entry)));
    capacity_ = capacity;
    for (std::size_t i = 0; i < capacity; ++i) entries_[i].key = kNoKey;
    for (std::size_t i = 0; i < old_capacity; ++i) {
      if (old[i].key == kNoKey) continue;
      std::size_t j = home(old[i].key);
      while (entries_[j].key != kNoKey) j = next(j);
      entries_[j] = old[i];
    }
    if (old != nullptr) pool_->deallocate(old, old_capacity * sizeof(Entry));
  }

  void drop() {
    if (entries_ != nullptr) pool_->deallocate(entries_, std::size_t{capacity_} * sizeof(Entry));
    entries_ = nullptr;
    capacity_ = size_ = 0;
  }

  Pool* pool_;
  Entry* entries_ = nullptr;
  std::uint32_t capacity_ = 0;  // 0 or a power of two
  std::uint32_t size_ = 0;
};

}  // namespace steward
