// A synchronisation object of the program: its clock, and what a report says of it. It lives in the
// side of the granule at its address, guarded by that stripe's lock, and ends with its memory.
#pragma once

#include <atomic>

#include "core/pacer/rules.h"
#include "runtime/shadow/cell.h"
#include "runtime/sync/live_clock.h"
#include "runtime/thread/active.h"

namespace steward::rt {

class SyncObject {
 public:
  SyncObject(Pool& pool, uptr a)
      : address(a), clock(pool), readers(pool), received(first()), readers_received(received) {}

  uptr address;
  SyncObject* next = nullptr;
  LiveClock clock;    // what writers released
  LiveClock readers;  // what readers released: a reader is not ordered after another
  // When `clock` is exactly some thread's clock at a release: that release. Minimal: nothing was
  // released. kMixed: no one thread's.
  ReleaseName last;
  union {
    std::uint32_t id = 0;   // of a lock; 0: not yet taken
    std::uint32_t parties;  // of a barrier
  };
  std::uint32_t arrived = 0;  // at a barrier, ever
  // Count who was given the clocks; they begin where no earlier object at this address was.
  std::uint64_t received, readers_received;

 private:
  static std::uint64_t first() {
    static std::uint64_t made = 0;
    return __atomic_add_fetch(&made, 1, __ATOMIC_RELAXED) << 32;
  }
};

SyncObject& sync_at(LockedSide& side, uptr a);  // made if absent
SyncObject* find_sync(LockedSide& side, uptr a);
void end_syncs(LockedSide& side, uptr begin, uptr end);

// Counts a rule of Table 7 (PACER).
inline void tally([[maybe_unused]] const ThreadState& t, [[maybe_unused]] pacer::OrderRule rule) {
#if STEWARD_SAMPLES
  ++const_cast<ThreadState&>(t).rules[t.sampling ? 1 : 0][static_cast<unsigned>(rule)];
#endif
}

// C_t <- C_t joined with a clock.
void join_clock(ThreadState& t, const LiveClock& clock);
// Algorithms 1, 2, 14 and 15 on one object (11, 9 and 16 for PACER); the caller holds its stripe.
void join_from(ThreadState& t, SyncObject& m);
void copy_to(SyncObject& m, const ThreadState& t);
void merge_to(SyncObject& m, const ThreadState& t);

// PACER, while checks are off: all that was ever sampled is known to every thread, so there is
// nothing that an edge could add, and what is sampled later comes after it anyhow.
inline bool no_order_matters() {
  return kSamples && !is_order_followed();
}

// What the side's `published` says of its objects, for those who do not take the lock.
void note_published(LockedSide& side);
// PACER, of a thread that does not sample: would an acquire of the object here, or a release to it,
// change nothing? Without the lock; false if that cannot be told.
bool nothing_to_acquire(const ThreadState& t, uptr a);
bool nothing_to_release(const ThreadState& t, uptr a);

// The whole operation, with C_t[t] advanced after a release.
void acquire(ThreadState& t, uptr a);
void release(ThreadState& t, uptr a);
void release_merge(ThreadState& t, uptr a);
// A readers-writer lock: see SyncObject::readers.
void release_shared(ThreadState& t, uptr a);
// A lock that has one holder: a trace tells it from other objects.
void release_lock(ThreadState& t, uptr a);

// A lock was taken; the caller holds its stripe. If this thread gave it last, in the same way, has
// released nothing else since, and nobody has received what it gave, its accesses are of the same
// epoch as those of its last section: whoever comes after that one will come after this one too.
// What was checked there need not be checked again. Its clock goes on meanwhile, for what it does
// outside of sections.
void acquire_lock(ThreadState& t, SyncObject& m, bool write);
// That is not so once a run-time system has been shown clocks (LARD's ReadVC), and may pass them
// on.
inline std::atomic<bool> clocks_are_told{false};

void increment(ThreadState& t);  // thread/registry.cpp: a full slot is changed for another

}  // namespace steward::rt
