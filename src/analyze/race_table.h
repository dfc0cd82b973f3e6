// Distinct races: dynamic ones folded by what a person would call the same race.
//
// Two races are the same when their accesses are of the same kinds at the same two sites. Where a
// site is not known the variable tells races apart as well.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <tuple>
#include <vector>

#include "event/race.h"

namespace steward::analyze {

struct DistinctRace {
  Race example;             // the first of them
  std::uint64_t count = 0;  // dynamic races folded into it
};

class RaceTable final : public RaceSink {
 public:
  // Past this many distinct races further ones are counted, not listed: memory stays bounded.
  static constexpr std::size_t kMaxDistinct = 100'000;

  void race(const Race& r) override;

  std::uint64_t dynamic() const { return dynamic_; }
  std::uint64_t unlisted() const { return unlisted_; }
  const std::vector<DistinctRace>& distinct() const { return races_; }  // in order of discovery
  std::size_t racy_variables() const { return addresses_.size(); }
  bool any_on(Address a, std::uint64_t size) const {
    const auto it = addresses_.lower_bound(a);
    return it != addresses_.end() && *it - a < size;
  }

 private:
  using Key = std::tuple<std::uint32_t, std::uint32_t, AccessKind, AccessKind, Address>;

  std::map<Key, std::size_t> index_;
  std::vector<DistinctRace> races_;
  std::set<Address> addresses_;
  std::uint64_t dynamic_ = 0;
  std::uint64_t unlisted_ = 0;
};

}  // namespace steward::analyze
