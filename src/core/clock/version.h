// PACER's versions: a name for each value a thread's vector clock has had (paper, 3.2 and A.2).
#pragma once

#include "core/clock/slot_vector.h"

namespace steward {

using Version = std::uint64_t;

// v@t. Minimal (0): below every version vector. Top: below none; the paper writes it null.
struct VersionEpoch {
  Slot slot{};
  Version version = 0;

  static constexpr VersionEpoch top() { return {Slot{}, ~Version{0}}; }
  constexpr bool is_top() const { return version == ~Version{0}; }
  constexpr bool operator==(const VersionEpoch&) const = default;
};

// The latest version of each thread's clock that this thread has received.
class VersionVector : public SlotVector<Version> {
 public:
  using SlotVector::SlotVector;
  // v@u <= V. Top is never covered: no version reaches its number.
  bool covers(VersionEpoch e) const { return e.version <= (*this)[e.slot]; }
};

}  // namespace steward
