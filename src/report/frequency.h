// How often a race happens, from how often it was seen.
//
// Of n runs at sampling rate r, k showed the race. If it happens in a share p of all runs, and a
// run in which it happens shows it with probability r (PACER's guarantee for one occurrence), then
// k is binomial with n and p * r: p is estimated by k / (n * r), and its bounds are those of
// Clopper and Pearson (1934) for the binomial's parameter, divided by r and cut at 1. Their
// coverage is at least the level asked for, at any n and p.
//
// Runs at different rates are taken as runs at their mean rate. The number seen is then less spread
// than the binomial (Hoeffding 1956), so the bounds are wider than need be, never too narrow.
//
// A race that happens many times in a run has more than one chance to be sampled: then p is
// overestimated. `at_least` is the lower bound without the assumption, with r = 1.
#pragma once

#include <cstdint>
#include <vector>

#include "report/model.h"

namespace steward::report {

inline constexpr double kConfidence = 0.95;

struct Interval {
  double low = 0;
  double high = 1;
};

// Clopper and Pearson's for k successes of n.
Interval binomial_interval(std::uint64_t k, std::uint64_t n, double confidence);

struct Trials {
  std::uint64_t runs = 0;
  std::uint64_t seen = 0;
  double rate = 1;
};

// At least one run, rates above 0.
Frequency estimate_frequency(const std::vector<Trials>& trials, double confidence = kConfidence);

// The largest share of runs in which a race can happen that no run showed: one-sided.
double largest_unseen(const std::vector<Trials>& trials, double confidence = kConfidence);

}  // namespace steward::report
