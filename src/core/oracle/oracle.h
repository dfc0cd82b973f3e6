// Happens-before by its definition, for tests: each thread carries the set of all events that
// happen before its next one, and every access is compared with every earlier access to the same
// byte. No clocks, no cleverness; sets and a double loop.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <vector>

#include "event/event.h"
#include "event/race.h"

namespace steward::oracle {

// Sets of event indices: one for any length, one for traces of at most 64 events.
class BigSet {
 public:
  void insert(std::size_t i) {
    if (words_.size() <= i / 64) words_.resize(i / 64 + 1);
    words_[i / 64] |= std::uint64_t{1} << (i % 64);
  }
  bool contains(std::size_t i) const {
    return i / 64 < words_.size() && (words_[i / 64] >> (i % 64) & 1) != 0;
  }
  void merge(const BigSet& o) {
    if (words_.size() < o.words_.size()) words_.resize(o.words_.size());
    for (std::size_t i = 0; i < o.words_.size(); ++i) words_[i] |= o.words_[i];
  }

 private:
  std::vector<std::uint64_t> words_;
};

class SmallSet {
 public:
  void insert(std::size_t i) { word_ |= std::uint64_t{1} << i; }
  bool contains(std::size_t i) const { return (word_ >> i & 1) != 0; }
  void merge(const SmallSet& o) { word_ |= o.word_; }

 private:
  std::uint64_t word_ = 0;
};

struct Access {
  std::size_t event;
  ThreadId thread;
  AccessKind kind;
};

struct Pair {  // two events that race, the earlier first
  std::size_t first;
  std::size_t second;
  auto operator<=>(const Pair&) const = default;
};

template <class Set = BigSet>
class Oracle {
 public:
  // The races that end in this event.
  std::vector<Pair> add(const Event& e) {
    const std::size_t i = events_++;
    std::vector<Pair> races;
    const auto named = identity_.find(e.thread);
    const ThreadId t = named == identity_.end() ? e.thread : named->second;
    Set& before = before_[t];
    switch (e.kind) {
      case EventKind::Read:
      case EventKind::Write:
        if (!e.system) access(e, i, t, before, races);
        break;
      case EventKind::Free:
        for (auto a = e.address; a < e.address + e.size; ++a) history_.erase(a);
        break;
      case EventKind::Move: {
        std::vector<std::vector<Access>> moved;
        for (std::uint64_t k = 0; k < e.size; ++k) {
          const auto found = history_.find(e.address + k);
          moved.push_back(found == history_.end() ? std::vector<Access>{} : found->second);
        }
        for (std::uint64_t k = 0; k < e.size; ++k) history_[e.other + k] = moved[k];
        break;
      }
      case EventKind::Switch: identity_[e.thread] = e.target_thread(); break;
      default:
        if (e.is_sync() && !e.system) synchronise(e, i, before);
    }
    return races;
  }

  // Does event a happen before the next event of thread t?
  bool before(std::size_t a, ThreadId t) { return before_[t].contains(a); }

 private:
  void access(const Event& e, std::size_t i, ThreadId t, Set& before, std::vector<Pair>& races) {
    const AccessKind kind = e.kind == EventKind::Read
                                ? (e.atomic ? AccessKind::AtomicRead : AccessKind::Read)
                                : (e.atomic ? AccessKind::AtomicWrite : AccessKind::Write);
    for (auto a = e.address; a < e.address + e.size; ++a) {
      auto& history = history_[a];
      for (const Access& earlier : history) {
        if (earlier.thread != t && conflict(earlier.kind, kind) && !before.contains(earlier.event)) {
          races.push_back({earlier.event, i});
        }
      }
      history.push_back({i, t, kind});
    }
    std::sort(races.begin(), races.end());
    races.erase(std::unique(races.begin(), races.end()), races.end());
    before.insert(i);
  }

  void synchronise(const Event& e, std::size_t i, Set& before) {
    switch (e.kind) {
      case EventKind::Acquire:
        before.merge(released_[e.address]);
        // A reader waits for writers only; a writer for both.
        if (e.mode == SyncMode::Exclusive) before.merge(released_by_readers_[e.address]);
        before.insert(i);
        break;
      case EventKind::Release:
        before.insert(i);
        if (e.mode == SyncMode::Shared) {
          released_by_readers_[e.address].merge(before);
        } else {
          released_[e.address] = before;
        }
        break;
      case EventKind::ReleaseMerge:
        before.insert(i);
        (e.mode == SyncMode::Shared ? released_by_readers_ : released_)[e.address].merge(before);
        break;
      case EventKind::Fork:
        before.insert(i);
        before_[e.target_thread()].merge(Set(before));
        break;
      case EventKind::Join:
        before.merge(Set(before_[e.target_thread()]));
        before.insert(i);
        break;
      default: break;
    }
  }

  std::size_t events_ = 0;
  std::map<ThreadId, Set> before_;
  std::map<ThreadId, ThreadId> identity_;
  std::map<std::uint64_t, Set> released_;
  std::map<std::uint64_t, Set> released_by_readers_;
  std::map<Address, std::vector<Access>> history_;
};

}  // namespace steward::oracle
