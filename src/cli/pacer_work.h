// PACER's counters as the paper's Table 3 arranges them: what costs O(n), what O(1), and when.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/detector/detector.h"

namespace steward::cli {

// [0] outside sampling periods, [1] within.
struct SlowFast {
  std::uint64_t slow[2] = {};
  std::uint64_t fast[2] = {};

  void operator+=(const SlowFast& o);
  // Of the operations outside sampling periods, those done in O(1). NaN: there were none.
  double fast_share_outside() const;
};

struct PacerWork {
  SlowFast joins;            // into a thread's clock: slow rules 7.5 and 7.6, fast 7.4
  SlowFast volatile_writes;  // into a volatile's clock: slow rules 7.8 and 7.9, fast 7.7
  SlowFast copies;           // slow: deep; fast: shallow
  SlowFast reads;            // slow: with metadata; fast: nothing to look at
  SlowFast writes;

  SlowFast all_joins() const;
  // Joins and copies together: the paper's claim is that nearly all are O(1).
  double fast_clock_share_outside() const;
};

PacerWork pacer_work(const std::vector<Stat>& counters);

// The table, without reads and writes if none were counted (live, that would cost more than they
// do), each line indented by two blanks.
std::string pacer_table(const PacerWork& work);

}  // namespace steward::cli
