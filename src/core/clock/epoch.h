// Epochs c@t and the slots they name.
//
// A clock value belongs to a slot, not to a thread: a slot outlives its thread and is given to a
// later one when everything in it happens before the newcomer (clock/slots.h), so that clocks do
// not grow with the number of threads ever started.
#pragma once

#include <compare>
#include <cstdint>

#include "event/ids.h"

namespace steward {

enum class Slot : std::uint32_t {};
using Clock = std::uint32_t;

inline constexpr Clock kMaxClock = 0xffff'fffe;

// c@slot in one word. Clock 0 is the minimal epoch: it happens before everything.
class Epoch {
 public:
  constexpr Epoch() = default;
  constexpr Epoch(Slot slot, Clock clock)
      : word_(std::uint64_t{raw(slot)} << 32 | clock) {}

  constexpr Slot slot() const { return Slot{static_cast<std::uint32_t>(word_ >> 32)}; }
  constexpr Clock clock() const { return static_cast<Clock>(word_); }
  constexpr bool is_minimal() const { return clock() == 0; }
  constexpr bool operator==(const Epoch&) const = default;

  // A slot stays below 2^31, so that a cell may keep a tag in the top bit.
  constexpr std::uint64_t word() const { return word_; }
  static constexpr Epoch from_word(std::uint64_t w) {
    Epoch e;
    e.word_ = w;
    return e;
  }

 private:
  std::uint64_t word_ = 0;
};
static_assert(sizeof(Epoch) == 8);

}  // namespace steward
