// Reports of many runs into one: each race once, with how often and where it was seen.
#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "report/model.h"

namespace steward::report {

class RunMerger {
 public:
  // A report of one run, or one that was merged before.
  void add(Report report);

  // What was added, the races a reader should see first in front. Call once.
  Report finish();

 private:
  std::vector<std::size_t> add_batches(const Report& report);
  std::size_t batch(const Batch& like);
  std::size_t find(const Race& race) const;
  void add_race(Race race, const Report& from, const std::vector<std::size_t>& batches);
  void absorb(std::size_t index, Race& race, const std::vector<Seen>& seen, std::size_t from);
  void insert(Race race, std::vector<Seen> seen, std::size_t from);

  struct Pending {
    Race race;
    std::vector<Seen> seen;
    std::size_t report = 0;
  };

  Report report_;
  std::unordered_map<std::string, std::size_t> batches_;
  std::unordered_map<std::string, std::size_t> by_fingerprint_;
  // By the fingerprint of one stack: for races whose other one was lost.
  std::unordered_map<std::string, std::size_t> by_half_;
  std::vector<Pending> half_known_;
  std::vector<std::size_t> counted_;  // by race: the last report that counted a run for it
  std::size_t reports_ = 0;
  std::uint32_t runs_ = 0;  // numbers given to them
};

// Marks each race as new or known, and notes the baseline's races that were not seen.
void compare(Report& report, const Report& baseline);

}  // namespace steward::report
