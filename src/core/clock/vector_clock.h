// Vector clocks: one clock value a slot.
#pragma once

#include "core/clock/slot_vector.h"

namespace steward {

class VectorClock : public SlotVector<Clock> {
 public:
  using SlotVector::SlotVector;

  // c@t <= C, in constant time.
  bool covers(Epoch e) const { return e.clock() <= (*this)[e.slot()]; }

  // C' <= C, pointwise.
  bool covers(const VectorClock& o) const {
    const std::uint32_t n = std::min(size_, o.size_);
    // A block at a time without an exit, so that the compiler may use vector instructions.
    constexpr std::uint32_t kBlock = 32;
    std::uint32_t i = 0;
    for (; i + kBlock <= n; i += kBlock) {
      unsigned above = 0;
      for (std::uint32_t j = i; j < i + kBlock; ++j) above |= o.values_[j] > values_[j] ? 1u : 0u;
      if (above != 0) return false;
    }
    for (; i < n; ++i) {
      if (o.values_[i] > values_[i]) return false;
    }
    for (; i < o.size_; ++i) {
      if (o.values_[i] != 0) return false;
    }
    return true;
  }

  void join(const VectorClock& o) {
    grow(o.size_);
    Clock* mine = values_;
    const Clock* theirs = o.values_;
    for (std::uint32_t i = 0; i < o.size_; ++i) mine[i] = std::max(mine[i], theirs[i]);
  }
};

}  // namespace steward
