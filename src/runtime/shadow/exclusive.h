// FastTrack's exclusive rules, [read exclusive] and [write exclusive], on the two words of a
// granule: the access comes after all that is known of its bytes, so it takes their place. Each
// gives the new words, or false: it does not come after, the words are not plain, or two runs
// cannot hold it.
#pragma once

#include "runtime/shadow/cell.h"
#include "runtime/thread/thread_state.h"

namespace steward::rt {

inline bool is_past(const ThreadState& t, Epoch30 e) {
  return (e & kClockLimit) <= t.clock[Slot{e >> kClockBits}];
}

// All eight bytes.
__attribute__((always_inline)) inline bool exclusive_granule(const ThreadState& t, bool write,
                                                             const ShadowCell& seen,
                                                             ShadowCell& next) {
  constexpr std::uint64_t kNone = Word::uniform(kNoWrite).bits();  // PACER's, of bytes only read
  const bool wrote = only_of(t.word, seen.write) || (kSamples && seen.write == kNone);
  if (!wrote || !only_of(t.word, seen.read)) {  // others have been there
    if (!Word::are_halves(seen.write | seen.read)) return false;
    const auto past = [&](const Word& x) __attribute__((always_inline)) {
      return is_past(t, x.low()) && (x.low() == x.high() || is_past(t, x.high()));
    };
    if (!past(Word(seen.write)) || !past(Word(seen.read))) return false;
  }
  next = write ? ShadowCell{t.word, 0} : ShadowCell{seen.write, t.word};
  if constexpr (kSamples) {
    const Word w(seen.write);
    if (!write && seen.write == 0) {
      next.write = kNone;
    } else if (!write && (w.low() == 0 || w.high() == 0)) {
      next = next.shown();
    }
  }
  return true;
}

// The half at `from`, 0 or 4, of a granule whose halves have each one history.
__attribute__((always_inline)) inline bool exclusive_half(const ThreadState& t, bool write,
                                                          unsigned from, const ShadowCell& seen,
                                                          ShadowCell& next) {
  if (!Word::are_halves(seen.write | seen.read)) return false;
  const unsigned shift = from * 8;
  if (!is_past(t, static_cast<Epoch30>(seen.write >> shift)) ||
      !is_past(t, static_cast<Epoch30>(seen.read >> shift))) {
    return false;
  }
  const std::uint64_t half = std::uint64_t{0xffff'ffff} << shift;
  const auto put = [&](std::uint64_t x) { return (x & ~half) | (t.word & half); };
  next = write ? ShadowCell{put(seen.write), seen.read & ~half}
               : ShadowCell{seen.write, put(seen.read)};
  if constexpr (kSamples) next = next.shown();
  return true;
}

// Any bytes [from, to).
__attribute__((always_inline)) inline bool exclusive_bytes(const ThreadState& t, bool write,
                                                           unsigned from, unsigned to,
                                                           const ShadowCell& seen,
                                                           ShadowCell& next) {
  const Word w(seen.write), r(seen.read);
  if (!w.is_plain()) return false;
  // Two runs: what is at either end is all there is.
  const Epoch30 w0 = w.at(from), w1 = w.at(to - 1), r0 = r.at(from), r1 = r.at(to - 1);
  if (!is_past(t, w0) || (w1 != w0 && !is_past(t, w1))) return false;
  if (!is_past(t, r0) || (r1 != r0 && !is_past(t, r1))) return false;
  next = seen;
  if (!write && w0 == t.epoch && w1 == t.epoch) return true;  // it stands for it
  Word nw = w, nr = r;
  if (write && !w.with(from, to, t.epoch, nw)) return false;
  if (!r.with(from, to, write ? 0 : t.epoch, nr)) return false;
  next = {nw.bits(), nr.bits()};
  if constexpr (kSamples) next = next.shown();
  return true;
}

}  // namespace steward::rt
