// Is nothing recorded of these bytes? What an access that is not sampled asks first (PACER): most
// often it is so.
#pragma once

#include "runtime/shadow/cell.h"
#include "runtime/shadow/owner.h"

namespace steward::rt {

inline bool is_in_one_region(uptr a, std::size_t size) {
  return (a & (owner::kRegion - 1)) + size <= owner::kRegion;
}

// Of bytes in one region; of others, no. The region's word is asked first: the shadow of what nobody
// has touched would only be in the way of the program's own data in the caches.
inline bool is_untouched(uptr a, std::size_t size) {
  if (!is_in_one_region(a, size)) return false;
  if (owner::is_nobodys(a)) return true;
  const ShadowCell* cell = &ShadowCell::of(a);
  for (const ShadowCell* const end = cell + ((a & 7) + size + 7) / 8; cell < end; ++cell) {
    if (__atomic_load_n(&cell->write, __ATOMIC_RELAXED) != 0) return false;
  }
  return true;
}

// The same for the calling thread's own next access, by the region's word alone: it does not sample,
// and knows it (sample/period.h).
inline bool passes_by_region(uptr a, std::size_t size) {
  return kSamples && __steward_word == 0 && is_in_one_region(a, size) && owner::is_nobodys(a);
}

}  // namespace steward::rt
