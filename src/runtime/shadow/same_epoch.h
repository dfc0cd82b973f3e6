// Has this epoch made such an access already, whatever its bytes and the form of its cells? The
// hooks' own checks ask only about aligned words (abi/hook.h).
#pragma once

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
  return write || ((from | to) & 3) != 0 || !crowd::wants_now_and_then(t);  // it becomes a crowd
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

inline bool same_epoch(const ThreadState& t, bool write, uptr a, std::size_t size) {
  for (uptr g = a & ~uptr{7}; size != 0; g += 8) {
    const unsigned from = a & 7;
    const unsigned here = size < 8 - from ? static_cast<unsigned>(size) : 8 - from;
    if (!same_epoch_in(t, write, g, from, from + here)) return false;
    a += here;
    size -= here;
  }
  return true;
}

}  // namespace steward::rt
