// Six accesses of one thread in a cell (shadow/short_list.h): three writes and three reads, the
// form of text that is put together from parts and read in parts.
//
//   write word                          read word
//   10 | A2, A1, A0 (10) | 10 | E       1 | 3 (2) | rest, high (29) | 1 | rest, low (31)
//
// E is the latest epoch; a write was An clocks before it. The rest, from its lowest bit on: which
// of the writes each byte is of, 0 for none, as two planes of eight bits; the same of the reads;
// and how many clocks before E each read was (9). One thread's writes have no byte in common, nor
// have its reads.
#pragma once

#include "runtime/shadow/cell.h"

namespace steward::rt {

struct SixOfOne {
  static constexpr unsigned kOfKind = 3;
  static constexpr std::uint64_t kForm = 3;  // in the read word's bits from 61 on
  struct Kind {
    unsigned ago[kOfKind] = {};
    unsigned mask[kOfKind] = {};  // no bytes: no access
  };
  Epoch30 latest = 0;
  Kind writes, reads;

  static constexpr unsigned most_ago(bool write) { return write ? 1023 : 511; }

  __attribute__((always_inline)) static SixOfOne decode(const ShadowCell& c) {
    const std::uint64_t rest = (c.read & kLow) | (c.read >> 32 & kHigh) << 31;
    SixOfOne six;
    six.latest = static_cast<Epoch30>(c.write) & Word::kEpoch;
    for (unsigned i = 0; i < kOfKind; ++i) {
      six.writes.ago[i] = c.write >> (32 + 10 * i) & most_ago(true);
      six.reads.ago[i] = rest >> (32 + 9 * i) & most_ago(false);
    }
    put_masks(six.writes, static_cast<unsigned>(rest & 0xffff));
    put_masks(six.reads, static_cast<unsigned>(rest >> 16 & 0xffff));
    return six;
  }
  ShadowCell encode() const {
    std::uint64_t agos = 0, rest = planes_of(writes) | std::uint64_t{planes_of(reads)} << 16;
    for (unsigned i = 0; i < kOfKind; ++i) {
      agos |= std::uint64_t{writes.ago[i]} << 10 * i;
      rest |= std::uint64_t{reads.ago[i]} << (32 + 9 * i);
    }
    return {Word::list(agos << 32 | latest).bits(),
            Word::list((rest & kLow) | rest >> 31 << 32 | kForm << 61).bits()};
  }

  // Has `now` made such an access to all of these bytes?
  __attribute__((always_inline)) static bool has(const ShadowCell& c, Epoch30 now, bool write,
                                                 unsigned mask) {
    const SixOfOne six = decode(c);
    const Epoch30 ago = six.latest - now;
    unsigned left = mask;
    for (unsigned i = 0; i < kOfKind; ++i) {
      left &= ~(six.writes.ago[i] == ago ? six.writes.mask[i] : 0);
      left &= ~(!write && six.reads.ago[i] == ago ? six.reads.mask[i] : 0);
    }
    return left == 0;
  }

  // The cell after another access of the same thread's in the epoch `now`; false: there is no room,
  // or no need of so much.
  static bool grow(Epoch30 now, bool write, unsigned mask, const ShadowCell& seen,
                   ShadowCell& next) {
    SixOfOne six = decode(seen);
    if ((six.latest ^ now) >> kClockBits != 0) return false;
    const unsigned later = now - six.latest;
    unsigned left = mask, used = 0;
    if (!write && later == 0) {  // what it wrote in this epoch stands for its reads
      for (unsigned i = 0; i < kOfKind; ++i)
        left &= six.writes.ago[i] == 0 ? ~six.writes.mask[i] : ~0u;
    }
    if (!age(six.writes, later, write ? mask : 0, most_ago(true), used) ||
        !age(six.reads, later, mask, most_ago(false), used)) {
      return false;
    }
    Kind& kind = write ? six.writes : six.reads;
    unsigned place = kOfKind;
    for (unsigned i = 0; i < kOfKind; ++i) {
      if (kind.mask[i] == 0 ? place == kOfKind : kind.ago[i] == 0) place = i;
    }
    constexpr unsigned kFew = 2;  // two words may hold them
    if (place == kOfKind || used < kFew || (kind.mask[place] | left) == 0xff) return false;
    kind.mask[place] |= left;
    kind.ago[place] = 0;
    six.latest = now;
    next = six.encode();
    return true;
  }

 private:
  static constexpr std::uint64_t kLow = 0x7fff'ffff, kHigh = 0x1fff'ffff;

  static void put_masks(Kind& kind, unsigned planes) {
    const unsigned low = planes & 0xff, high = planes >> 8;
    kind.mask[0] = low & ~high;
    kind.mask[1] = high & ~low;
    kind.mask[2] = low & high;
  }
  static unsigned planes_of(const Kind& kind) {
    return (kind.mask[0] | kind.mask[2]) | (kind.mask[1] | kind.mask[2]) << 8;
  }
  // Later, and without the bytes that go. Counts those that stay; false: one is too long ago.
  static bool age(Kind& kind, unsigned later, unsigned gone, unsigned most, unsigned& used) {
    for (unsigned i = 0; i < kOfKind; ++i) {
      kind.mask[i] &= ~gone;
      if (kind.mask[i] == 0) {
        kind.ago[i] = 0;
        continue;
      }
      if (later > most - kind.ago[i]) return false;
      kind.ago[i] += later;
      ++used;
    }
    return true;
  }
};

}  // namespace steward::rt
