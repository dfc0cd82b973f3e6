// Half a shadow cell: when the bytes of an 8-byte granule were last written (or read).
//
// A word holds up to two runs of bytes, [0, k) and [k, 8), each with one epoch. k = 4 is encoded as
// zeros, so that a 4-byte half in its own run, and a uniform granule (both runs equal), compare as
// plain 32- and 64-bit numbers: that is the same-epoch check. So a half that is not all of one
// epoch must show it: k < 4 sets bits in the low half, k > 4 in the high one, and for want of bits
// in both if it is 6 or 7. (k = 5 is common: an int and a flag behind it.) A sequential walk over
// bytes stays in this form, since the run that grows and the run that shrinks are two.
//
// Behind the tag in the write word the two words together mean something else: data that several
// threads read (shadow/readers.h), a short list of accesses (shadow/short_list.h), or a pointer to
// a side structure that can hold anything.
#pragma once

#include <cstdint>
#include <optional>

#include "core/clock/epoch.h"

namespace steward::rt {

// An epoch in 30 bits: 10 of slot, 20 of clock. 0: never.
using Epoch30 = std::uint32_t;
inline constexpr unsigned kSlotBits = 10;
inline constexpr unsigned kClockBits = 20;
inline constexpr unsigned kMaxSlots = 1u << kSlotBits;
inline constexpr Clock kClockLimit = (1u << kClockBits) - 1;

constexpr Epoch30 pack(Epoch e) {
  return e.is_minimal() ? 0 : raw(e.slot()) << kClockBits | e.clock();
}
constexpr Epoch unpack(Epoch30 e) {
  return Epoch{Slot{e >> kClockBits}, e & kClockLimit};
}

// PACER's word for a write that there was not, of bytes that were read: while a thread does not
// sample, an empty write word says that nothing at all is known of the bytes. Its clock is 0: it
// happens before everything.
inline constexpr Epoch30 kNoWrite = (kMaxSlots - 1) << kClockBits;

constexpr bool is_minimal(Epoch30 e) {
  return (e & kClockLimit) == 0;
}

class Word {
 public:
  static constexpr Epoch30 kEpoch = (1u << 30) - 1;

  constexpr Word() = default;
  constexpr explicit Word(std::uint64_t bits) : bits_(bits) {}
  static constexpr Word uniform(Epoch30 e) { return Word(std::uint64_t{e} << 32 | e); }
  static constexpr Word halves(Epoch30 low, Epoch30 high) {
    return Word(std::uint64_t{high} << 32 | low);
  }
  // A pointer around bits 30 and 31, which are set: its low half is no epoch and not empty.
  static Word side(const void* p) {
    const std::uint64_t n = reinterpret_cast<std::uint64_t>(p) >> 4;
    return Word(kTag | kCutLow | (n & kEpoch) | n >> 30 << 32);
  }
  // Each half with its highest bit set and the next one not, whatever the payload of 30 bits.
  static constexpr Word list(std::uint64_t payload) {
    return Word(payload | kTag | std::uint64_t{1} << 31);
  }
  static constexpr Word shared(std::uint64_t payload) { return Word(payload | kTag | kShared); }

  constexpr std::uint64_t bits() const { return bits_; }
  constexpr bool is_plain() const { return (bits_ & kTag) == 0; }
  constexpr bool is_side() const { return (bits_ & kForm) == (kTag | kCutLow); }
  constexpr bool is_list() const { return (bits_ & kForm) == (kTag | std::uint64_t{1} << 31); }
  constexpr bool is_shared() const { return (bits_ & (kTag | kShared)) == (kTag | kShared); }
  template <class Side>
  Side* side() const {
    return reinterpret_cast<Side*>(((bits_ & kEpoch) | (bits_ & ~kTag) >> 32 << 30) << 4);
  }

  constexpr unsigned cut() const {
    const auto code = static_cast<unsigned>((bits_ >> 30 & 3) | (bits_ >> 60 & 4));
    return code == 0 ? 4 : code < 4 ? code : code + 1;
  }
  static constexpr bool are_halves(std::uint64_t words) { return (words & (kTag | kCut)) == 0; }
  constexpr bool in_halves() const { return (bits_ & kCut) == 0; }
  constexpr Epoch30 low() const { return static_cast<Epoch30>(bits_) & kEpoch; }
  constexpr Epoch30 high() const { return static_cast<Epoch30>(bits_ >> 32) & kEpoch; }
  constexpr Epoch30 at(unsigned byte) const { return byte < cut() ? low() : high(); }

  // Bytes [0, k) of one epoch and [k, 8) of another; 0 < k < 8.
  static constexpr Word runs(unsigned k, Epoch30 low, Epoch30 high) {
    const std::uint64_t code = k == 4 ? 0 : k < 4 ? k : k - 1;
    return Word(std::uint64_t{high} << 32 | low | (code & 3) << 30 | (code & 4) << 60);
  }

  // The word with another epoch for the bytes [from, to). False: two runs cannot hold it.
  __attribute__((always_inline)) constexpr bool with(unsigned from, unsigned to, Epoch30 e,
                                                     Word& out) const {
    const Epoch30 a = low(), b = high();
    const unsigned k = a == b ? 8 : cut();
    if (from == 0 && (k == 8 || to >= k)) {
      out = to == 8 || b == e ? uniform(e) : runs(to, e, b);
    } else if (to == 8 && from <= k) {
      out = a == e ? uniform(e) : runs(from, a, e);
    } else if (a == e && from <= k) {  // the first run grows
      out = to <= k ? *this : runs(to, e, b);
    } else if (b == e && to >= k) {  // the second does
      out = from >= k ? *this : runs(from, a, e);
    } else {
      return false;
    }
    return true;
  }

  // The word of eight bytes' epochs, if two runs can hold them.
  static std::optional<Word> of(const Epoch30 (&bytes)[8]) {
    unsigned k = 0;
    for (unsigned b = 1; b < 8; ++b) {
      if (bytes[b] == bytes[b - 1]) continue;
      if (k != 0) return std::nullopt;
      k = b;
    }
    if (k == 0) return uniform(bytes[0]);
    return runs(k, bytes[0], bytes[7]);
  }

 private:
  static constexpr std::uint64_t kTag = std::uint64_t{1} << 63;
  static constexpr std::uint64_t kShared = std::uint64_t{1} << 62;  // with kTag; else part of k
  static constexpr std::uint64_t kCutLow = std::uint64_t{3} << 30;
  static constexpr std::uint64_t kCut = std::uint64_t{1} << 62 | kCutLow;
  static constexpr std::uint64_t kForm = kTag | kShared | kCutLow;

  std::uint64_t bits_ = 0;
};
static_assert(sizeof(Word) == 8);

// PACER's read word of a granule that this thread has read while it did not sample: it has seen
// what was written there, and found nothing to discard. The next of its reads need not look again,
// until somebody's write or sampled read takes the mark away. No clock: it happens before
// everything. A slot's next thread has received all that this one has, and may well rely on it.
constexpr std::uint64_t mark_of(Epoch30 e) {
  return Word::uniform(kNoWrite - (e & ~kClockLimit)).bits();
}

// Does the word, or a half of one in halves, know no other thread than the one whose uniform word
// is `mine`? Then it has no tag and no cut either.
template <class Part>
constexpr bool only_of(Part mine, Part part) {
  constexpr auto kNotClock = static_cast<Part>(~(std::uint64_t{kClockLimit} << 32 | kClockLimit));
  return part == 0 || ((part ^ mine) & kNotClock) == 0;
}

}  // namespace steward::rt
