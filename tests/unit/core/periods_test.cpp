// When PACER samples: the share of work done in sampling periods is the rate asked for, also when
// sampling changes how long a period is (paper, section 4 and Table 1).
#include "core/pacer/periods.h"

#include <cstdio>
#include <gtest/gtest.h>

#include "core/pacer/periodic.h"

#include "analyze/random.h"
#include "support/random_trace.h"
#include "unit/core/statistics.h"
#include "unit/core/stepper.h"

namespace steward::test {
namespace {

using pacer::Periods;
constexpr double kRates[] = {0.01, 0.03, 0.05, 0.10, 0.25};

constexpr std::uint64_t draw_of(double u) {
  return static_cast<std::uint64_t>(u * 0x1.0p53) << 11;
}

TEST(SamplingPeriods, ADrawBelowTheProbabilitySamples) {
  Periods p(0.25);
  EXPECT_TRUE(p.begin(0));
  EXPECT_TRUE(p.begin(draw_of(0.2499)));
  EXPECT_FALSE(p.begin(draw_of(0.25)));
  EXPECT_FALSE(p.sampling());
  EXPECT_FALSE(p.begin(~std::uint64_t{0}));
}

TEST(SamplingPeriods, EqualWorkLeavesTheRateAlone) {
  Periods p(0.1);
  EXPECT_DOUBLE_EQ(p.probability(), 0.1) << "nothing known yet";
  p.begin(draw_of(0.5));
  for (int i = 0; i < 100; ++i) p.next(500, i % 10 == 0 ? 0 : draw_of(0.999));
  EXPECT_NEAR(p.probability(), 0.1, 1e-12);
}

TEST(SamplingPeriods, ShorterSampledPeriodsAreTakenMoreOften) {
  Periods p(0.1);
  p.begin(0);
  for (int i = 0; i < 20'000; ++i) {
    const bool sampled = p.sampling();
    p.next(sampled ? 100 : 500, i % 2 == 0 ? 0 : draw_of(0.999));
  }
  // p s / (p s + (1 - p) n) = rate at s = 100, n = 500.
  EXPECT_NEAR(p.probability(), 0.1 * 500 / (0.1 * 500 + 0.9 * 100), 1e-4);
}

// One sampled period that did a fifth of the work: much where all others were alike, little where
// one in ten does it all.
TEST(SamplingPeriods, OneSampledPeriodSaysAsMuchAsWorkIsSteady) {
  for (const bool steady : {true, false}) {
    Periods p(0.01);
    p.begin(draw_of(0.999));
    for (unsigned i = 0; i < 50; ++i) {
      const std::uint64_t bursty = i % 10 == 0 ? 10'000 : 0;
      p.next(steady ? 1'000 : bursty, i == 49 ? 0 : draw_of(0.999));
    }
    ASSERT_TRUE(p.sampling());
    p.next(200, draw_of(0.999));
    if (steady) {
      EXPECT_GT(p.probability(), 0.02);
    } else {
      EXPECT_LT(p.probability(), 0.012);
    }
  }
}

TEST(SamplingPeriods, WithoutWorkTheRateItselfIsTheProbability) {
  Periods p(0.3);
  p.begin(draw_of(0.999));
  for (int i = 0; i < 10; ++i) p.next(0, draw_of(0.999));
  EXPECT_DOUBLE_EQ(p.probability(), 0.3);
}

TEST(SamplingPeriods, RatesZeroAndOneAreExact) {
  analyze::Random random(1);
  Periods never(0), always(1);
  EXPECT_FALSE(never.begin(0));
  EXPECT_TRUE(always.begin(~std::uint64_t{0}));
  for (int i = 0; i < 10'000; ++i) {
    const std::uint64_t draw = i == 0 ? 0 : i == 1 ? ~std::uint64_t{0} : random.draw();
    ASSERT_FALSE(never.next(random.below(100), draw));
    ASSERT_TRUE(always.next(random.below(100), draw));
  }
}

// The share of work sampled in a run of `periods` periods.
template <class Work>
double effective(double rate, std::uint64_t seed, int periods, Work work) {
  analyze::Random random(seed);
  Periods p(rate);
  bool sampling = p.begin(random.draw());
  double sampled = 0, all = 0;
  for (int i = 0; i < periods; ++i) {
    const std::uint64_t w = work(sampling, random);
    sampled += sampling ? static_cast<double>(w) : 0;
    all += static_cast<double>(w);
    sampling = p.next(w, random.draw());
  }
  return sampled / all;
}

TEST(EffectiveRate, WithinATenthOfTheRateAskedFor) {
  using analyze::Random;
  struct Program {
    const char* name;
    std::uint64_t (*work)(bool sampling, Random&);
    double tolerance = 0.1;
  };
  const Program programs[] = {
      {"equal periods", [](bool, Random&) { return std::uint64_t{1'000}; }},
      // Metadata fills the nursery: five collections in the time of one.
      {"sampled 1/5 of the work", [](bool s, Random&) { return std::uint64_t{s ? 200u : 1'000u}; }},
      {"noisy work", [](bool, Random& r) { return r.below(2'000); }},
      {"noisy, sampled 1/5", [](bool s, Random& r) { return r.below(s ? 400 : 2'000); }},
      // Bursts of synchronisation: one period in ten does nearly all of it.
      // Forty sampled periods, as at 1%, hold four of them: the estimate stays rough.
      {"bursts", [](bool, Random& r) { return r.below(10) == 0 ? 5'000 + r.below(5'000) : 50; },
       0.2},
  };
  constexpr int kPeriods = 4'000;
  constexpr unsigned kSeeds = 200;
  std::printf("\nEffective sampling rates, %%: mean +- deviation of %u runs of %d periods\n  %-26s",
              kSeeds, kPeriods, "");
  for (const double rate : kRates) std::printf("     r = %-4g", 100 * rate);
  std::printf("\n");
  for (const Program& program : programs) {
    std::printf("  %-26s", program.name);
    for (const double rate : kRates) {
      Sample rates;
      for (unsigned seed = 1; seed <= kSeeds; ++seed) {
        rates.add(effective(rate, seed, kPeriods, program.work));
      }
      std::printf("  %5.2f +-%5.2f", 100 * rates.mean(), 100 * rates.deviation());
      EXPECT_NEAR(rates.mean(), rate, rate * program.tolerance) << program.name;
    }
    std::printf("\n");
  }
}

// The same through the detector: the share of a trace's accesses that is sampled.
TEST(EffectiveRate, OfAPeriodicPacerOverATrace) {
  const Trace trace = random_trace({.threads = 8, .variables = 200, .locks = 20}, 1, 20'000);
  for (const auto scope : {Pacer::Scope::Global, Pacer::Scope::Thread}) {
    for (const double rate : kRates) {
      Sample rates;
      for (unsigned seed = 1; seed <= 40; ++seed) {
        analyze::Random random(seed);
        Stepper<PeriodicPacer> on(LardRules{}, PeriodicPacer::Settings{rate, 20, scope}, random);
        on.feed(trace);
        const SampledWork w = on.analysis().work();
        EXPECT_EQ(w.accesses + w.syncs, static_cast<std::uint64_t>(std::count_if(
                                            trace.begin(), trace.end(), [](const Event& e) {
                                              return e.is_access() || e.is_sync();
                                            })));
        rates.add(static_cast<double>(w.sampled_accesses) / static_cast<double>(w.accesses));
      }
      EXPECT_NEAR(rates.mean(), rate, rate / 10);
    }
  }
}

TEST(EffectiveRate, OfAPeriodicPacerAtZeroAndOne) {
  const Trace trace = random_trace({.threads = 4, .variables = 3}, 2, 2'000);
  for (const auto scope : {Pacer::Scope::Global, Pacer::Scope::Thread}) {
    for (const double rate : {0.0, 1.0}) {
      analyze::Random random(7);
      Stepper<PeriodicPacer> on(LardRules{}, PeriodicPacer::Settings{rate, 10, scope}, random);
      on.feed(trace);
      const SampledWork w = on.analysis().work();
      EXPECT_EQ(w.sampled_accesses, rate == 0 ? 0 : w.accesses);
      EXPECT_EQ(w.sampled_syncs, rate == 0 ? 0 : w.syncs);
      EXPECT_EQ(on.races().empty(), rate == 0);
    }
  }
}

}  // namespace
}  // namespace steward::test
