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
    std::uint32_t i = 0;
    for (; i + kBlock <= n; i += kBlock) {
      if (any_above(o.values_ + i, values_ + i)) return false;
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
    if (this == &o) return;
    grow(o.size_);
    std::uint32_t i = 0;
    for (; i + kBlock <= o.size_; i += kBlock) raise(values_ + i, o.values_ + i);
    for (; i < o.size_; ++i) values_[i] = std::max(values_[i], o.values_[i]);
  }

 private:
  // A block at a time, of fixed length and without an exit: -O2 makes vector instructions of it,
  // three times as fast.
  static constexpr std::uint32_t kBlock = 16;

  static bool any_above(const Clock* a, const Clock* b) {
    Clock above = 0;
    for (std::uint32_t i = 0; i < kBlock; ++i) above |= a[i] > b[i] ? 1u : 0u;
    return above != 0;
  }
  static void raise(Clock* __restrict to, const Clock* __restrict from) {
    for (std::uint32_t i = 0; i < kBlock; ++i) to[i] = std::max(to[i], from[i]);
  }
};

}  // namespace steward
