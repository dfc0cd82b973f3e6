// The full state of a granule that two words cannot hold: a list of accesses, and the
// synchronisation objects that live there (a mutex, an atomic).
//
// Granules are divided among stripes. A stripe's lock guards the sides of its granules, the memory
// they are made of, and every change of a cell to or from a side. Who has it and changes a list of
// accesses holds that list's lock as well (LockedSide); a step that needs no memory takes the
// list's alone, and then looks whether the cell still shows the side (check_beside). So does a
// reader that sets its mark (shadow/roll.h).
#pragma once

#include "runtime/mem/lock.h"
#include "runtime/shadow/access_list.h"
#include "runtime/shadow/layout.h"

namespace steward::rt {

class SyncObject;

struct Side {
  AccessList accesses;
  union {
    SyncObject* syncs = nullptr;  // linked; each says which address it is for
    Side* next_free;
  };

  // For atomics that change nothing here, read without the lock (abi/atomic.cpp). Memory of a side
  // is never unmapped, and the reader asks the cell afterwards whether it is still this granule's.
  static constexpr unsigned kRecent = 7;
  std::uint64_t recent[kRecent] = {};  // accesses of their thread's current epoch, by slot and kind
  std::uint64_t published = 0;  // 0: nothing to acquire here; an epoch that stands for it all;
                                // or kBusy: ask under the lock
  static constexpr std::uint64_t kBusy = ~std::uint64_t{0};

  void forget() {  // the history was cleared: nobody's access is known any more
    for (std::uint64_t& r : recent) __atomic_store_n(&r, 0, __ATOMIC_RELAXED);
  }
};

static_assert(sizeof(Side) == 128);

struct alignas(64) Stripe {
  Stripe(PageSource& pages, std::size_t first_chunk) : pool(pages, first_chunk) {}
  Side* make_side();
  void drop(Side* side);

  SpinLock lock;
  Side* free = nullptr;  // sides stay sides: who looks at one without the lock may come late
  Pool pool;
};

inline bool has_sides(uptr a) {  // may a granule of its 64 KiB have one?
  return (layout.regions[a >> 16] & kHasSides) != 0;
}
inline constexpr unsigned kStripes = 256;
inline Stripe* stripes = nullptr;  // made at the first use
Stripe* make_stripes();
inline Stripe& stripe_of(uptr a) {
  Stripe* all = __atomic_load_n(&stripes, __ATOMIC_ACQUIRE);
  if (__builtin_expect(all == nullptr, 0)) all = make_stripes();
  const uptr g = a >> 3;
  return all[(g ^ g >> 8) % kStripes];
}
void lock_stripes_for_fork();
void unlock_stripes_after_fork(bool child);

}  // namespace steward::rt
