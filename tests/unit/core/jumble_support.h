// Executions of the jumble models in which the test makes every pick.
#pragma once

#include <vector>

#include "core/jumble/choose.h"

#include "analyze/heap_pages.h"
#include "support/coverage.h"

namespace steward::test {

inline void cover_jumble(const jumble::RuleCounts& counts) {
  auto& rules = coverage()["jumble"];
  for (unsigned r = 0; r < jumble::kRules; ++r) {
    const auto rule = static_cast<jumble::Rule>(r);
    rules[jumble::name(rule)].outside += counts[rule];
  }
}

// All sequences of picks, one an execution: like an odometer whose wheels are as large as the
// choices turn out to be. The first takes the oldest value everywhere.
class AllPicks final : public jumble::Picks {
 public:
  void note(unsigned candidates, unsigned pick) override {
    if (at_ == wheels_.size()) {
      wheels_.push_back({candidates, pick});
    } else {
      wheels_[at_].size = candidates;
    }
    ++at_;
  }
  bool next(unsigned, unsigned& pick) override {
    pick = at_ < wheels_.size() ? wheels_[at_].pick : 0;
    return true;
  }
  // To the next execution; false: that was the last.
  bool advance() {
    wheels_.resize(at_);
    at_ = 0;
    while (!wheels_.empty()) {
      if (++wheels_.back().pick < wheels_.back().size) return true;
      wheels_.pop_back();
    }
    return false;
  }

 private:
  struct Wheel {
    unsigned size;
    unsigned pick;
  };
  std::vector<Wheel> wheels_;
  std::size_t at_ = 0;
};

// Draws that nobody may ask for.
class NoDraws final : public Draws {
 public:
  std::uint64_t draw() override { throw std::logic_error("a pick was not the test's"); }
};

}  // namespace steward::test
