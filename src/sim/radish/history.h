// What the software layer knows of a variable (RADISH paper, Section 4.6): its last write and its
// last reads, as far as they are not in the caches.
//
// A variable that is in software only, because it raced or is accessed atomically, keeps
// everything: for each kind of access each thread's last, as GENERIC does (core/generic).
#pragma once

#include "core/clock/read_map.h"
#include "core/clock/slot_vector.h"
#include "core/memory/pool.h"
#include "event/race.h"

namespace steward::sim {

class History {
 public:
  struct Pinned {
    explicit Pinned(Pool& pool)
        : marks{SlotVector<Clock>(pool), SlotVector<Clock>(pool), SlotVector<Clock>(pool),
                SlotVector<Clock>(pool)} {}
    SlotVector<Clock> marks[4];  // by AccessKind
  };

  bool pinned() const { return (reads_ & kPinned) != 0; }

  // Of one that is not pinned.
  Epoch write() const { return write_; }
  void set_write(Epoch e) { write_ = e; }
  void clear_reads(Pool& pool) { drop(pool); }
  // Of one thread's reads the latest counts, in whatever order they come: a thread that moved may
  // have left metadata on several cores.
  void put_read(Pool& pool, Epoch e) {
    bool older = false;
    for_each_read([&](Epoch known) {
      older = older || (known.slot() == e.slot() && known.clock() >= e.clock());
    });
    if (older) return;
    if ((reads_ & kMap) == 0) {
      const Epoch one = Epoch::from_word(reads_);
      if (one.is_minimal() || one.slot() == e.slot()) {
        reads_ = e.word();
        return;
      }
      auto* map = pool.make<ReadMap>(pool);
      map->put({one, kNoSite});
      reads_ = reinterpret_cast<std::uint64_t>(map) | kMap;
    }
    pointer<ReadMap>()->put({e, kNoSite});
  }
  template <class F>
  void for_each_read(F f) const {
    if ((reads_ & kMap) != 0) {
      pointer<ReadMap>()->for_each([&](const Stamp& s) { f(s.epoch); });
    } else if (const Epoch one = Epoch::from_word(reads_); !one.is_minimal()) {
      f(one);
    }
  }

  // Forgets the above and keeps everything from now on.
  Pinned& pin(Pool& pool) {
    if (!pinned()) {
      drop(pool);
      write_ = {};
      reads_ = reinterpret_cast<std::uint64_t>(pool.make<Pinned>(pool)) | kPinned;
    }
    return *pointer<Pinned>();
  }

  // What memory/granule.h asks of a state.
  bool empty() const { return write_.is_minimal() && reads_ == 0; }
  void destroy(Pool& pool) { drop(pool); }
  History clone(Pool& pool) const {
    History h;
    if (pinned()) {
      Pinned& to = h.pin(pool);
      for (unsigned k = 0; k < 4; ++k) to.marks[k].copy(pointer<Pinned>()->marks[k]);
      return h;
    }
    h.write_ = write_;
    for_each_read([&](Epoch e) { h.put_read(pool, e); });
    return h;
  }

 private:
  static constexpr std::uint64_t kMap = std::uint64_t{1} << 63;
  static constexpr std::uint64_t kPinned = std::uint64_t{1} << 62;  // slots stay below 2^30

  template <class T>
  T* pointer() const {
    return reinterpret_cast<T*>(reads_ & ~(kMap | kPinned));
  }
  void drop(Pool& pool) {
    if ((reads_ & kMap) != 0) pool.destroy(pointer<ReadMap>());
    if (pinned()) pool.destroy(pointer<Pinned>());
    reads_ = 0;
  }

  Epoch write_;
  std::uint64_t reads_ = 0;  // one epoch's word, or a tag and an address
};

}  // namespace steward::sim
