// Cells in a row that are alike become alike: a walk over them needs one step of the rules and, for
// the others, a comparison and a store.
#pragma once

#include <emmintrin.h>

#include "runtime/shadow/cell.h"

namespace steward::rt {

// As one, where the processor can (shadow/alone.h).
inline ShadowCell load_whole(const ShadowCell& cell) {
  ShadowCell seen;
  _mm_store_si128(reinterpret_cast<__m128i*>(&seen),
                  _mm_load_si128(reinterpret_cast<const __m128i*>(&cell)));
  return seen;
}
inline void store_whole(ShadowCell& cell, const ShadowCell& next) {
  _mm_store_si128(reinterpret_cast<__m128i*>(&cell),
                  _mm_load_si128(reinterpret_cast<const __m128i*>(&next)));
}

// From `g` on, cells that are `seen` become `next`, up to the first that is not or to `end`: that
// is returned. The calling thread alone may change them. Each half of a cell is stored as one, as
// the unlocked same-epoch checks of others expect.
inline uptr replace_alike(uptr g, uptr end, const ShadowCell& seen, const ShadowCell& next) {
  const auto vector = [](const ShadowCell& c) {
    return _mm_set_epi64x(static_cast<long long>(c.read), static_cast<long long>(c.write));
  };
  const __m128i from = vector(seen), to = vector(next);
  constexpr uptr kAhead = 64;  // cells that are asked for before they are reached
  const auto* const ends = reinterpret_cast<__m128i*>(shadow_of(end - 8)) + 1;
  auto* cell = reinterpret_cast<__m128i*>(shadow_of(g));
  const auto alike = [&](unsigned i) { return _mm_cmpeq_epi32(_mm_load_si128(cell + i), from); };
  constexpr int kAll = 0xffff;
  for (; ends - cell >= 4; cell += 4) {  // a cache line
    const __m128i same =
        _mm_and_si128(_mm_and_si128(alike(0), alike(1)), _mm_and_si128(alike(2), alike(3)));
    if (_mm_movemask_epi8(same) != kAll) break;
    __builtin_prefetch(cell + kAhead, 1);
    for (unsigned i = 0; i < 4; ++i) _mm_store_si128(cell + i, to);
  }
  for (; cell != ends && _mm_movemask_epi8(alike(0)) == kAll; ++cell) _mm_store_si128(cell, to);
  const auto* const first = reinterpret_cast<__m128i*>(shadow_of(g));
  return g + static_cast<uptr>(cell - first) * 8;
}

}  // namespace steward::rt
