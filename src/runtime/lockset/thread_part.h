// What the lockset tool knows of a thread, and what it remembers so that most accesses and pointers
// need no lock.
#pragma once

#include "core/lockset/monitors.h"
#include "runtime/platform/linux/sys.h"

namespace steward::rt::discipline {

// Heap blocks that belong to this thread. An entry holds as long as the owner's generation does
// (ThreadInfo::generation): it ends when one of the thread's blocks escapes, or another thread
// frees one.
class OwnBlocks {
 public:
  bool has(uptr a, std::size_t size, std::uint32_t generation) const {
    const Entry& e = entry(a);
    return a >= e.begin && a + size <= e.end && e.generation == generation;
  }
  void add(uptr a, uptr begin, uptr end, std::uint32_t generation) {
    entry(a) = {begin, end, generation};
  }
  // The thread itself has freed it.
  void remove(uptr begin, uptr end) {
    unsigned n = 0;
    for (uptr a = begin; a < end && n < kEntries; a = (a | (kLine - 1)) + 1, ++n) {
      if (entry(a).begin == begin) entry(a) = {};
    }
  }

 private:
  static constexpr unsigned kEntries = 256;
  static constexpr uptr kLine = 256;
  struct Entry {
    uptr begin = 0, end = 0;
    std::uint32_t generation = 0;
  };
  Entry& entry(uptr a) { return entries_[a / kLine % kEntries]; }
  const Entry& entry(uptr a) const { return entries_[a / kLine % kEntries]; }
  Entry entries_[kEntries];
};

// Pointers to blocks that have escaped already, which need not be told again until one is freed.
class EscapedPointers {
 public:
  bool has(uptr p, std::uint32_t frees) const {
    const Entry& e = entries_[p / 16 % kEntries];
    return e.pointer == p && e.frees == frees;
  }
  void add(uptr p, std::uint32_t frees) { entries_[p / 16 % kEntries] = {p, frees}; }

 private:
  static constexpr unsigned kEntries = 256;
  struct Entry {
    uptr pointer = 0;
    std::uint32_t frees = 0;
  };
  Entry entries_[kEntries];
};

// Pages of the program's variables, and pages that are none.
class GlobalPages {
 public:
  template <class Ask>
  bool has(uptr a, Ask ask) {
    Entry& e = entries_[(a >> 12) % kEntries];
    if (e.page != a >> 12) e = {a >> 12, ask(a)};
    return e.is_global;
  }

 private:
  static constexpr unsigned kEntries = 64;
  struct Entry {
    uptr page = 0;
    bool is_global = false;
  };
  Entry entries_[kEntries];
};

struct Counts {
  std::uint64_t accesses = 0;  // that no same-epoch check had answered
  std::uint64_t owned = 0;     // ... to what is the thread's own, answered without a lock
  std::uint64_t pointers = 0;  // that a barrier was told of
  void operator+=(const Counts& o) {
    accesses += o.accesses;
    owned += o.owned;
    pointers += o.pointers;
  }
};

struct ThreadPart {
  explicit ThreadPart(Pool& pool) : monitors(pool) {}
  lockset::Monitors monitors;
  OwnBlocks own;
  EscapedPointers escaped;
  GlobalPages globals;
  Counts counts;
  bool is_excluded = false;  // written by whoever names the thread

  void renew() {  // for another thread
    monitors.clear();
    own = {};
    escaped = {};
    counts = {};
    is_excluded = false;
  }
};

}  // namespace steward::rt::discipline
