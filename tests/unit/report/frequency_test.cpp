#include "report/frequency.h"

#include <cmath>
#include <gtest/gtest.h>
#include <random>

namespace steward::report {
namespace {

// From the tails' definition: at the lower bound, k or more have probability 2.5%.
double at_least(std::uint64_t k, std::uint64_t n, double p) {
  double sum = 0;
  for (std::uint64_t i = k; i <= n; ++i) {
    const auto di = static_cast<double>(i);
    const auto dn = static_cast<double>(n);
    sum += std::exp(std::lgamma(dn + 1) - std::lgamma(di + 1) - std::lgamma(dn - di + 1) +
                    di * std::log(p) + (dn - di) * std::log1p(-p));
  }
  return sum;
}

TEST(Frequency, TheBoundsAreWhereTheTailsAre) {
  for (const std::uint64_t n : {1U, 5U, 30U, 400U}) {
    for (const std::uint64_t k : {std::uint64_t{0}, std::uint64_t{1}, n / 3, n - 1, n}) {
      if (k > n) continue;
      const Interval i = binomial_interval(k, n, 0.95);
      if (k == 0) {
        EXPECT_EQ(i.low, 0);
      } else {
        EXPECT_NEAR(at_least(k, n, i.low), 0.025, 1e-6) << k << "/" << n;
      }
      if (k == n) {
        EXPECT_EQ(i.high, 1);
      } else {
        EXPECT_NEAR(1 - at_least(k + 1, n, i.high), 0.025, 1e-6) << k << "/" << n;
      }
    }
  }
}

TEST(Frequency, KnownValues) {
  // Clopper and Pearson's for 10 of 100
  const Interval i = binomial_interval(10, 100, 0.95);
  EXPECT_NEAR(i.low, 0.0490, 5e-5);
  EXPECT_NEAR(i.high, 0.1762, 5e-5);
  const Frequency f = estimate_frequency({{100, 10, 0.25}});
  EXPECT_DOUBLE_EQ(f.estimate, 0.4);
  EXPECT_NEAR(f.low, 0.1960, 2e-4);
  EXPECT_NEAR(f.high, 0.7049, 2e-4);
  EXPECT_NEAR(f.at_least, 0.0490, 5e-5);
  // more was seen than the rate allows: it happens more than once a run
  EXPECT_EQ(estimate_frequency({{100, 90, 0.03}}).estimate, 1);
}

TEST(Frequency, WhatNoRunShowed) {
  // the rule of three
  EXPECT_NEAR(largest_unseen({{1000, 0, 1}}), 0.003, 1e-5);
  EXPECT_NEAR(largest_unseen({{1000, 0, 0.03}}), 0.0998, 1e-4);
  EXPECT_EQ(largest_unseen({{1, 0, 0.03}}), 1);
}

// n runs at a rate, repeated: how often is the truth within the bounds?
double coverage(double p, const std::vector<Trials>& plan, std::mt19937_64& random) {
  constexpr int kTrials = 2000;
  int covered = 0;
  for (int i = 0; i < kTrials; ++i) {
    std::vector<Trials> trials = plan;
    for (Trials& t : trials) {
      std::binomial_distribution<std::uint64_t> runs(t.runs, p * t.rate);
      t.seen = runs(random);
    }
    const Frequency f = estimate_frequency(trials);
    EXPECT_LE(f.low, f.estimate);
    EXPECT_LE(f.estimate, f.high);
    covered += f.low <= p && p <= f.high;
  }
  return static_cast<double>(covered) / kTrials;
}

TEST(Frequency, IntervalsCoverTheTruth) {
  std::mt19937_64 random(1);  // NOLINT: the same draws in every run
  // 95% of 2,000 trials, less three standard deviations of such a share
  const double enough = 0.95 - 3 * std::sqrt(0.95 * 0.05 / 2000);
  for (const double rate : {0.01, 0.03, 0.25, 1.0}) {
    for (const std::uint64_t runs : {10U, 100U, 1000U}) {
      for (const double p : {0.02, 0.3, 0.9, 1.0}) {
        EXPECT_GE(coverage(p, {{runs, 0, rate}}, random), enough)
            << "p " << p << ", rate " << rate << ", " << runs << " runs";
      }
    }
  }
  for (const double p : {0.1, 0.5, 1.0}) {
    EXPECT_GE(coverage(p, {{200, 0, 0.03}, {50, 0, 0.25}, {20, 0, 1}}, random), enough)
        << "p " << p << ", several rates";
  }
}

TEST(Frequency, TheSimulationWouldNoticeBoundsThatAreTooNarrow) {
  std::mt19937_64 random(1);  // NOLINT
  // the rate is half of what it is said to be
  std::binomial_distribution<std::uint64_t> runs(1000, 0.5 * 0.125);
  int covered = 0;
  for (int i = 0; i < 2000; ++i) {
    const Frequency f = estimate_frequency({{1000, runs(random), 0.25}});
    covered += f.low <= 0.5 && 0.5 <= f.high;
  }
  EXPECT_LT(covered, 200);
}

}  // namespace
}  // namespace steward::report
