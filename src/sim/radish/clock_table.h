// How a core writes a 64-bit time into 6 bits (RADISH paper, Section 5.1). Either as an offset from
// a base, or as a number of an entry in a table that counts its references. Wider clocks, which
// type safety gives to larger items (Section 5.2), are always offsets. One code means "not
// accessed".
#pragma once

#include <algorithm>
#include <bit>
#include <emmintrin.h>
#include <vector>

#include "core/clock/epoch.h"
#include "sim/config.h"

namespace steward::sim {

class ClockTable {
 public:
  explicit ClockTable(const Config& c)
      : counted_(c.clocks == ClockCoding::Table),
        narrow_((Clock{1} << c.clock_bits) - 1),
        // Four bytes have 32 bits of metadata in compact form, 64 else: less 4 of state, for two
        // clocks.
        words_(c.type_safety ? (Clock{1} << (c.compact_metadata() ? 14 : 30)) - 1 : kMaxClock),
        clocks_(counted_ ? (narrow_ + 3) / 4 * 4 : 0, kNoClock),
        references_(counted_ ? narrow_ : 0) {
    std::fill_n(clocks_.begin(), references_.size(), 0);
  }

  // Starts with nothing in the caches.
  void restart(Clock now) {
    // Some room below: a thread that comes back finds older clocks of its own in software.
    const Clock below = (counted_ ? words_ : narrow_) / 4;
    base_ = now > below ? now - below : 0;
    std::fill_n(clocks_.begin(), references_.size(), 0);
    std::fill(references_.begin(), references_.end(), 0);
  }

  // The thread's clock becomes `now`. False: there is no code for it; all must go, and restart().
  bool advance(Clock now) {
    if (now < base_) return false;
    if (!counted_) return now - base_ < narrow_;
    return now - base_ < words_ && find_or_make(now) != kNoEntry;
  }

  // Whether a clock other than the current one can be written, as an import or a split needs.
  bool fits(Clock c, bool narrow, unsigned references) {
    if (narrow && counted_) {
      const std::size_t at = find_or_make(c);
      return at != kNoEntry && references_[at] + references <= kMaxReferences;
    }
    return c >= base_ && c - base_ < (narrow ? narrow_ : words_);
  }

  // References from narrow clocks.
  void add(Clock c, unsigned n) {
    if (counted_) references_[find_or_make(c)] += n;
  }
  void drop(Clock c, unsigned n) {
    if (counted_) references_[find_or_make(c)] -= n;
  }
  // The thread's own time needs its entry even before the first reference.
  void hold(Clock now) { now_ = now; }

 private:
  static constexpr std::uint32_t kMaxReferences = (1u << 24) - 1;
  static constexpr Clock kNoClock = kMaxClock + 1;
  static constexpr std::size_t kNoEntry = ~std::size_t{0};

  // Where its entry is; kNoEntry: there is none, nor one that nobody refers to.
  std::size_t find_or_make(Clock c) {
    if (last_ < references_.size() && clocks_[last_] == c) return last_;
    if (c <= newest_) {
      if (const std::size_t found = find(c); found != kNoEntry) return last_ = found;
    } else {  // a thread's new time, mostly
      newest_ = c;
    }
    for (std::size_t i = references_.size(); i-- != 0;) {
      if (references_[i] != 0 || (clocks_[i] != 0 && clocks_[i] == now_)) continue;
      clocks_[i] = c;
      return i;
    }
    return kNoEntry;
  }
  // Four at a time.
  std::size_t find(Clock c) const {
    const __m128i wanted = _mm_set1_epi32(static_cast<int>(c));
    for (std::size_t i = 0; i < clocks_.size(); i += 4) {
      const __m128i four = _mm_loadu_si128(reinterpret_cast<const __m128i*>(&clocks_[i]));
      const int equal = _mm_movemask_ps(_mm_castsi128_ps(_mm_cmpeq_epi32(four, wanted)));
      if (equal != 0) {
        return i + static_cast<std::size_t>(std::countr_zero(static_cast<unsigned>(equal)));
      }
    }
    return kNoEntry;
  }

  bool counted_;
  Clock narrow_;  // how many clocks the codes can tell apart
  Clock words_;
  Clock base_ = 0;
  Clock now_ = 0;
  Clock newest_ = 0;  // none in the table is above it
  std::size_t last_ = 0;
  // An entry is a clock and how many refer to it. The clocks are filled up to a multiple of four.
  std::vector<Clock> clocks_;
  std::vector<std::uint32_t> references_;
};

}  // namespace steward::sim
