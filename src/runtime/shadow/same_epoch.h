// Has this epoch made such an access already, whatever its bytes and the form of its cells? The
// hooks' own checks ask only about aligned words (abi/hook.h).
#pragma once

#include <algorithm>

#include "runtime/shadow/cell.h"
#include "runtime/shadow/crowd.h"
#include "runtime/shadow/readers.h"
#include "runtime/shadow/short_list.h"

namespace steward::rt {

// Bytes [from, to) of the granule at `g`, whose words are not plain.
__attribute__((noinline)) inline bool same_epoch_among(const ThreadState& t, bool write, uptr g,
                                                       unsigned from, unsigned to) {
  const ShadowCell& cell = ShadowCell::of(g);
  const ShadowCell seen = cell.load();
  const Word w(seen.write);
  const auto still = [&] { return cell.is_still(seen); };
  if (w.is_shared()) {
    return !write && Readers::has(seen, t.epoch, (from < 4 ? 1u : 0u) | (to > 4 ? 2u : 0u)) &&
           still() && (((from | to) & 3) != 0 || !crowd::wants(t));  // it becomes a crowd
  }
  const auto mask = bytes_of(from, to);
  if (w.is_list()) return ShortList::has(seen, t.epoch, write, mask) && still();
  if (!w.is_side() || !w.side<Side>()->accesses.has(t.epoch, write, mask, still)) return false;
  return write || ((from | to) & 3) != 0 || w.side<Side>()->accesses.is_on_roll() ||
         !crowd::wants_now_and_then(t);  // it becomes a crowd
}

inline bool in_crowd(const ThreadState& t, const Word& reads, unsigned from, unsigned to) {
  return crowd::is_in(reads) &&
         crowd::has_halves(t, reads, (from < 4 ? 1u : 0u) | (to > 4 ? 2u : 0u));
}

// Bytes [from, to) of a granule whose words are plain and no crowd's; false if they are not.
__attribute__((always_inline)) inline bool same_epoch_runs(const ThreadState& t, bool write,
                                                           const ShadowCell& cell,
                                                           const ShadowCell& seen, unsigned from,
                                                           unsigned to) {
  if (seen.write == t.word || (!write && seen.read == t.word)) return true;
  const auto within = [&](Word x) __attribute__((always_inline)) {
    return x.at(from) == t.epoch && x.at(to - 1) == t.epoch;
  };
  if (!Word(seen.write).is_plain()) return false;
  if (within(Word(seen.write))) return true;
  return !write && within(Word(seen.read)) && cell.is_still(seen);
}
__attribute__((always_inline)) inline bool same_epoch_plain(const ThreadState& t, bool write,
                                                            const ShadowCell& cell, unsigned from,
                                                            unsigned to) {
  const ShadowCell seen = cell.load();
  return same_epoch_runs(t, write, cell, seen, from, to) ||
         (!write && in_crowd(t, Word(seen.read), from, to) && cell.is_still(seen));
}

// Bytes [from, to) of the granule at `g`.
__attribute__((always_inline)) inline bool same_epoch_in(const ThreadState& t, bool write, uptr g,
                                                         unsigned from, unsigned to) {
  const ShadowCell& cell = ShadowCell::of(g);
  return same_epoch_plain(t, write, cell, from, to) ||
         (!Word(cell.load().write).is_plain() && same_epoch_among(t, write, g, from, to));
}

// From the granule `g` on: those that show this epoch in all of a word, as most do. Returns the first
// that does not.
__attribute__((always_inline)) inline uptr skip_shown(const ThreadState& t, bool write, uptr g,
                                                      uptr end) {
  constexpr uptr kTogether = uptr{1} << 16;  // cells lie side by side within a terabyte only
  const std::uint64_t word = t.word;
  while (g < end) {
    const uptr stop = std::min(end, (g | (kTogether - 1)) + 1);
    for (const ShadowCell* cell = &ShadowCell::of(g); g < stop; g += 8, ++cell) {
      if (__atomic_load_n(&cell->write, __ATOMIC_RELAXED) == word) continue;
      if (write || __atomic_load_n(&cell->read, __ATOMIC_RELAXED) != word) return g;
    }
  }
  return g;
}
// A range, from the granule `g` on.
__attribute__((noinline)) inline bool same_epoch_from(const ThreadState& t, bool write, uptr a,
                                                      uptr end, uptr g) {
  for (; g < end; g = skip_shown(t, write, g + 8, end)) {
    const unsigned from = g < a ? static_cast<unsigned>(a - g) : 0;
    const unsigned to = end - g < 8 ? static_cast<unsigned>(end - g) : 8;
    if (!same_epoch_in(t, write, g, from, to)) return false;
  }
  return true;
}
__attribute__((always_inline)) inline bool same_epoch(const ThreadState& t, bool write, uptr a,
                                                      std::size_t size) {
  const uptr end = a + size;
  const uptr g = skip_shown(t, write, a & ~uptr{7}, end);
  if (g >= end) return true;
  if (end - g < 8) {  // the end of a text, say, in a granule that is used no further
    const ShadowCell& cell = ShadowCell::of(g);
    const unsigned from = g < a ? static_cast<unsigned>(a - g) : 0;
    if (same_epoch_runs(t, write, cell, cell.load(), from, static_cast<unsigned>(end - g))) {
      return true;
    }
  }
  return same_epoch_from(t, write, a, end, g);
}

}  // namespace steward::rt
