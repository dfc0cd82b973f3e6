// Which executions of a function one thread samples: a burst, then a gap, then a burst, at a rate
// that falls from 100% to 0.1% as the function grows hot.
#pragma once

#include "core/detector/draws.h"
#include "core/memory/flat_map.h"

namespace steward {

class Bursts {
 public:
  explicit Bursts(Pool& pool) : functions_(pool) {}

  // Is this execution sampled? `burst`: consecutive executions that are. `draw` gives 64 random
  // bits; it is called once a gap.
  template <class Draw>
  bool sample(std::uint64_t function, std::uint32_t burst, const Draw& draw) {
    Heat& h = functions_.get(function, Heat{});
    if (h.left == 0) h.left = burst;
    const bool sampled = h.bursting;
    if (--h.left == 0) turn(h, burst, draw);
    return sampled;
  }
  void clear() { functions_.clear(); }

 private:
  static constexpr std::uint8_t kLevels = 4;  // 100%, 10%, 1%, 0.1%

  struct Heat {
    std::uint8_t level = 0;
    bool bursting = true;
    std::uint64_t left = 0;  // executions until the burst or the gap ends; 0: never run
  };

  template <class Draw>
  void turn(Heat& h, std::uint32_t burst, const Draw& draw) {
    h.bursting = !h.bursting;
    if (h.bursting) {
      h.left = burst;
      return;
    }
    if (h.level + 1 < kLevels) ++h.level;
    std::uint64_t per_burst = 1;
    for (unsigned i = 0; i < h.level; ++i) per_burst *= 10;
    // The mean gap gives the level's rate; a random length keeps two hot functions from being
    // sampled in step for ever.
    const double mean = static_cast<double>(burst) * static_cast<double>(per_burst - 1);
    h.left = 1 + static_cast<std::uint64_t>(unit(draw()) * 2 * mean);
  }

  FlatMap<std::uint64_t, Heat> functions_;
};

}  // namespace steward
