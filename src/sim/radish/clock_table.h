// How a core writes a 64-bit time into 6 bits (RADISH paper, Section 5.1). Either as an offset from
// a base, or as a number of an entry in a table that counts its references. Wider clocks, which
// type safety gives to larger items (Section 5.2), are always offsets. One code means "not
// accessed".
#pragma once

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
        entries_(counted_ ? narrow_ : 0) {}

  // Starts with nothing in the caches.
  void restart(Clock now) {
    // Some room below: a thread that comes back finds older clocks of its own in software.
    const Clock below = (counted_ ? words_ : narrow_) / 4;
    base_ = now > below ? now - below : 0;
    for (Entry& e : entries_) e = {};
  }

  // The thread's clock becomes `now`. False: there is no code for it; all must go, and restart().
  bool advance(Clock now) {
    if (now < base_) return false;
    if (!counted_) return now - base_ < narrow_;
    return now - base_ < words_ && find_or_make(now) != nullptr;
  }

  // Whether a clock other than the current one can be written, as an import or a split needs.
  bool fits(Clock c, bool narrow, unsigned references) {
    if (narrow && counted_) {
      Entry* e = find_or_make(c);
      return e != nullptr && e->references + references <= kMaxReferences;
    }
    return c >= base_ && c - base_ < (narrow ? narrow_ : words_);
  }

  // References from narrow clocks.
  void add(Clock c, unsigned n) {
    if (counted_) find_or_make(c)->references += n;
  }
  void drop(Clock c, unsigned n) {
    if (counted_) find_or_make(c)->references -= n;
  }
  // The thread's own time needs its entry even before the first reference.
  void hold(Clock now) { now_ = now; }

 private:
  static constexpr std::uint32_t kMaxReferences = (1u << 24) - 1;
  struct Entry {
    Clock clock = 0;
    std::uint32_t references = 0;
  };

  Entry* find_or_make(Clock c) {
    if (last_ < entries_.size() && entries_[last_].clock == c) return &entries_[last_];
    Entry* unused = nullptr;
    for (Entry& e : entries_) {
      if (e.clock == c) {
        last_ = static_cast<std::size_t>(&e - entries_.data());
        return &e;
      }
      if (e.references == 0 && (e.clock == 0 || e.clock != now_)) unused = &e;
    }
    if (unused != nullptr) *unused = {c, 0};
    return unused;
  }

  bool counted_;
  Clock narrow_;  // how many clocks the codes can tell apart
  Clock words_;
  Clock base_ = 0;
  Clock now_ = 0;
  std::size_t last_ = 0;
  std::vector<Entry> entries_;
};

}  // namespace steward::sim
