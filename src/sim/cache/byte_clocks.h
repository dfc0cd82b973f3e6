// A clock for each byte of a line. The bytes of a line are mostly accessed together, so there are
// two values nearly always: from before and after a sweep over the line. Only a line that has more
// of them gets one for each byte; so two records of a copy's clocks fit in half a line of the
// host's cache, and questions about all bytes are answered at once.
//
// A set of bytes of a line is a mask, byte i at bit i.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <utility>

#include "core/clock/epoch.h"

namespace steward::sim {

inline constexpr unsigned kMaxLine = 64;
using Bytes = std::uint64_t;

constexpr Bytes bytes_from(unsigned first, unsigned count) {
  return (count >= 64 ? ~Bytes{0} : (Bytes{1} << count) - 1) << first;
}

template <class F>
void for_each_byte(Bytes bytes, F f) {
  for (; bytes != 0; bytes &= bytes - 1) f(static_cast<unsigned>(std::countr_zero(bytes)));
}

// Whether the bytes of each aligned eight are all in the set or none of them.
constexpr bool in_eights(Bytes bytes) {
  return (bytes & 0x0101'0101'0101'0101) * 0xff == bytes;
}

class ByteClocks {
 public:
  ByteClocks() = default;
  ByteClocks(ByteClocks&& o) noexcept { *this = std::move(o); }
  ByteClocks& operator=(ByteClocks&& o) noexcept {
    std::swap(early_, o.early_);
    std::swap(late_, o.late_);
    std::swap(word_, o.word_);
    return *this;
  }
  ~ByteClocks() {
    if (late_ == kEach) delete each();
  }

  Clock operator[](unsigned byte) const {
    if (late_ == kEach) [[unlikely]]
      return (*each())[byte];
    return (word_ >> byte & 1) != 0 ? late_ : early_;
  }

  // `kept`: the other bytes whose clocks mean something.
  void set(Bytes where, Clock clock, Bytes kept) {
    if (kept == 0) {
      *this = ByteClocks(clock);
    } else if (late_ == kEach) {
      for_each_byte(where, [&](unsigned b) { (*each())[b] = clock; });
    } else if ((kept & ~word_) == 0) {  // the early one has nobody left
      early_ = std::exchange(late_, clock);
      word_ = clock == early_ ? 0 : where;
    } else if ((kept & word_) == 0) {
      late_ = clock;
      word_ = clock == early_ ? 0 : where;
    } else if (clock == early_) {
      word_ &= ~where;
    } else if (clock == late_) {
      word_ |= where;
    } else {
      spread();
      set(where, clock, kept);
    }
  }

  // Those of `bytes` whose clock is above `seen`.
  Bytes after(Clock seen, Bytes bytes) const {
    if (late_ != kEach) {
      return bytes & ((late_ > seen ? word_ : 0) | (early_ > seen ? ~word_ : 0));
    }
    Bytes found = 0;
    for_each_byte(bytes, [&](unsigned b) { found |= Bytes{(*each())[b] > seen} << b; });
    return found;
  }
  // Whether it is known without effort that all of `bytes` have this clock.
  bool surely(Bytes bytes, Clock clock) const {
    return late_ != kEach &&
           ((word_ & bytes) == 0 ? early_ == clock : (bytes & ~word_) == 0 && late_ == clock);
  }
  // Whether it is known without effort that of `bytes` each aligned eight have one clock.
  bool surely_in_eights(Bytes bytes) const { return late_ != kEach && in_eights(word_ & bytes); }
  // Those of `bytes` whose clock is that of `byte`.
  Bytes same(unsigned byte, Bytes bytes) const {
    if (late_ != kEach) return bytes & ((word_ >> byte & 1) != 0 ? word_ : ~word_);
    Bytes found = 0;
    const Clock clock = (*each())[byte];
    for_each_byte(bytes, [&](unsigned b) { found |= Bytes{(*each())[b] == clock} << b; });
    return found;
  }

 private:
  static constexpr Clock kEach = kMaxClock + 1;
  using Each = std::array<Clock, kMaxLine>;

  explicit ByteClocks(Clock clock) : early_(clock) {}
  Each* each() const { return reinterpret_cast<Each*>(word_); }
  void spread() {
    auto* each = new Each;
    for (unsigned b = 0; b < kMaxLine; ++b) (*each)[b] = (*this)[b];
    late_ = kEach;
    word_ = reinterpret_cast<std::uint64_t>(each);
  }

  Clock early_ = 0;
  Clock late_ = 0;          // kEach: every byte has its own
  std::uint64_t word_ = 0;  // the bytes of the late one, or the address of every byte's
};
static_assert(sizeof(ByteClocks) == 16);

}  // namespace steward::sim
