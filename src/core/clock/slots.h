// Which slot a thread writes its time in, and who owned a slot when.
//
// A dead slot is handed out again only when everything in it happens before the newcomer. Then no
// comparison changes: an old epoch of the slot lies below the newcomer's first clock, and a thread
// that has seen the old owner's end, and no more, has not seen the newcomer. Nothing is scrubbed.
// A thread that runs out of clock values takes a further slot; its own clock covers the old one.
#pragma once

#include <algorithm>
#include <vector>

#include "core/clock/epoch.h"
#include "core/memory/pool_allocator.h"

namespace steward {

class SlotTable {
 public:
  struct Opened {
    Slot slot;
    Clock first;   // the newcomer's first clock in it
    bool reused;
    bool forced;   // the last owner's accesses do not all happen before the newcomer's
  };

  explicit SlotTable(Pool& pool, Clock limit = kMaxClock, std::size_t capacity = ~std::size_t{0})
      : pool_(&pool), limit_(limit), capacity_(capacity), slots_(PoolAllocator<Info>(pool)),
        dead_(PoolAllocator<Slot>(pool)) {}

  // The last clock value a thread may use in a slot.
  Clock limit() const { return limit_; }
  std::size_t size() const { return slots_.size(); }
  Clock last(Slot s) const { return slots_[raw(s)].last; }

  // A slot for `thread`. `finished(slot, last clock)` says whether everything in a dead slot
  // happens before the newcomer; `nameless(slot, first clock)`, whether nobody will ask who its last
  // owner was, who is then forgotten: a program may have very many threads one after the other.
  template <class Finished>
  Opened open(ThreadId thread, Finished finished) {
    return open(thread, finished, [](Slot, Clock) { return false; });
  }
  template <class Finished, class Nameless>
  Opened open(ThreadId thread, Finished finished, Nameless nameless) {
    for (std::size_t i = dead_.size(); i-- > 0;) {  // the latest dead first: likeliest to be joined
      const Slot s = dead_[i];
      Info& info = slots_[raw(s)];
      if (info.last >= limit_ || !finished(s, info.last)) continue;
      if (nameless(s, info.owners.back().from)) info.owners.pop_back();
      return reuse(i, thread, false);
    }
    if (slots_.size() == capacity_) return force(thread);
    const Slot s{static_cast<std::uint32_t>(slots_.size())};
    slots_.emplace_back(*pool_);
    slots_.back().owners.push_back({1, thread});
    return {s, 1, false, false};
  }

  // The owner will not act in this slot again; `last` is the clock of its last event there.
  void close(Slot s, Clock last) {
    slots_[raw(s)].last = last;
    dead_.push_back(s);
  }

  ThreadId owner(Epoch e) const {
    const auto& owners = slots_[raw(e.slot())].owners;
    auto it = std::upper_bound(owners.begin(), owners.end(), e.clock(),
                               [](Clock c, const Owner& o) { return c < o.from; });
    return (it - 1)->thread;
  }

 private:
  Opened reuse(std::size_t i, ThreadId thread, bool forced) {
    const Slot s = dead_[i];
    Info& info = slots_[raw(s)];
    dead_.erase(dead_.begin() + static_cast<std::ptrdiff_t>(i));
    info.owners.push_back({info.last + 1, thread});
    return {s, info.last + 1, true, forced};
  }

  // No room: the slot that has been dead longest. Races of its last owner with the newcomer, and
  // with whoever learns of the newcomer, may then be missed; none is invented. A clock of 0 says
  // that there is no such slot.
  Opened force(ThreadId thread) {
    for (std::size_t i = 0; i < dead_.size(); ++i) {
      if (slots_[raw(dead_[i])].last < limit_) return reuse(i, thread, true);
    }
    return {Slot{}, 0, false, true};
  }

  struct Owner {
    Clock from;
    ThreadId thread;
  };
  struct Info {
    explicit Info(Pool& pool) : owners(PoolAllocator<Owner>(pool)) {}
    Clock last = 0;
    std::vector<Owner, PoolAllocator<Owner>> owners;
  };

  Pool* pool_;
  Clock limit_;
  std::size_t capacity_;
  std::vector<Info, PoolAllocator<Info>> slots_;
  std::vector<Slot, PoolAllocator<Slot>> dead_;
};

}  // namespace steward
