// What the software layer knows of a variable (RADISH paper, Section 4.6): its last write and its
// last reads, as far as they are not in the caches.
//
// A variable that is in software only, because it raced or is accessed atomically, keeps
// everything: for each kind of access each thread's last, as GENERIC does (core/generic).
#pragma once

#include "core/clock/slot_vector.h"
#include "core/memory/pool.h"
#include "core/memory/prefetch.h"
#include "event/race.h"
#include "sim/radish/last_reads.h"

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
    LastReads* several = nullptr;
    if ((reads_ & kSeveral) != 0) {
      several = pointer<LastReads>()->put(pool, e);
    } else {
      const Epoch one = Epoch::from_word(reads_);
      if (one.is_minimal() || one.slot() == e.slot()) {
        if (one.is_minimal() || one.clock() < e.clock()) reads_ = e.word();
        return;
      }
      several = LastReads::make(pool, one, e);
    }
    reads_ = reinterpret_cast<std::uint64_t>(several) | kSeveral;
  }
  template <class F>
  void for_each_read(F f) const {
    if ((reads_ & kSeveral) != 0) {
      for (const Epoch e : *pointer<LastReads>()) f(e);
    } else if (const Epoch one = Epoch::from_word(reads_); !one.is_minimal()) {
      f(one);
    }
  }

  // Soon for_each_read() or put_read() will be asked.
  void prefetch_reads() const {
    const void* const own = this;
    prefetch_line((reads_ & kSeveral) != 0 ? pointer<const void>() : own);
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

  // Surely the same: of reads by several threads, if they are shared.
  bool same(const History& o) const { return write_ == o.write_ && reads_ == o.reads_; }
  void become(Pool& pool, const History& o) {
    drop(pool);
    *this = o.clone(pool);
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
    h.reads_ = reads_;
    if ((reads_ & kSeveral) != 0) {
      h.reads_ = reinterpret_cast<std::uint64_t>(pointer<LastReads>()->share(pool)) | kSeveral;
    }
    return h;
  }

 private:
  static constexpr std::uint64_t kSeveral = std::uint64_t{1} << 63;
  static constexpr std::uint64_t kPinned = std::uint64_t{1} << 62;  // slots stay below 2^30

  template <class T>
  T* pointer() const {
    return reinterpret_cast<T*>(reads_ & ~(kSeveral | kPinned));
  }
  void drop(Pool& pool) {
    if ((reads_ & kSeveral) != 0) pointer<LastReads>()->drop(pool);
    if (pinned()) pool.destroy(pointer<Pinned>());
    reads_ = 0;
  }

  Epoch write_;
  std::uint64_t reads_ = 0;  // one epoch's word, or a tag and an address
};

}  // namespace steward::sim
