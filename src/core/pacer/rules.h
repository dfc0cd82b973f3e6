// The names of PACER's rules for clocks, for counting (paper, Table 7 and Table 5).
#pragma once

#include <cstdint>

namespace steward::pacer {

// Table 7, rule by rule; copies as Algorithm 9 makes them; Table 5.
enum class OrderRule : std::uint8_t {
  CopyDeep,
  CopyShallow,
  IncrementTimeless,
  Increment,
  JoinSameVersionEpoch,
  JoinHappensBefore,
  JoinConcurrent,
  VolatileSameVersionEpoch,
  VolatileHappensBefore,
  VolatileConcurrent,
  SampleBegin,
  SampleEnd,
  SlotReused,
  SlotMigrated,
};
inline constexpr unsigned kOrderRules = 14;

constexpr const char* name(OrderRule r) {
  constexpr const char* kNames[kOrderRules] = {"copy deep (7.1)",
                                               "copy shallow (7.1)",
                                               "increment, timeless (7.2)",
                                               "increment (7.3)",
                                               "join, same version epoch (7.4)",
                                               "join, happens before (7.5)",
                                               "join, concurrent (7.6)",
                                               "volatile write, same version epoch (7.7)",
                                               "volatile write, happens before (7.8)",
                                               "volatile write, concurrent (7.9)",
                                               "sampling begins (5.1)",
                                               "sampling ends (5.2)",
                                               "slot reused",
                                               "slot migrated"};
  return kNames[static_cast<unsigned>(r)];
}

}  // namespace steward::pacer
