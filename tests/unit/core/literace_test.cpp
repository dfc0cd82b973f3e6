// LiteRace: how its rate falls as code grows hot, what it finds, and what it misses that PACER at
// the same effective rate finds (paper, section 5.3 and Figure 6).
#include "core/literace/literace.h"

#include <cstdio>
#include <gtest/gtest.h>

#include "core/pacer/periodic.h"

#include "support/random_trace.h"
#include "unit/core/against_oracle.h"
#include "unit/core/statistics.h"
#include "unit/core/stepper.h"

namespace steward::test {
namespace {

constexpr Address kX = 0x1000;

// Runs one function over and over; true for the executions that were sampled.
class Repeated {
 public:
  Repeated(std::uint64_t seed, std::uint32_t burst)
      : random_(seed), on_(LardRules{}, LiteRace::Settings{burst}, random_) {}

  bool run(unsigned thread, unsigned function) {
    const std::uint64_t before = sampled();
    on_({enter(thread, function), wr(thread, 0x100 + 8 * thread), leave(thread, function)});
    return sampled() != before;
  }
  // Executions until the next that is sampled, or not.
  unsigned until(bool is_sampled) {
    unsigned n = 0;
    while (run(0, 1) != is_sampled) ++n;
    return n;
  }
  std::uint64_t sampled() { return on_.analysis().work().sampled_accesses; }

 private:
  analyze::Random random_;
  Stepper<LiteRace> on_;
};

TEST(LiteRace, TheFirstBurstIsSampledWhole) {
  for (const std::uint32_t burst : {1u, 10u, 250u}) {
    Repeated f(1, burst);
    for (std::uint32_t i = 0; i < burst; ++i) ASSERT_TRUE(f.run(0, 1)) << i;
    EXPECT_FALSE(f.run(0, 1));
  }
}

TEST(LiteRace, TheRateFallsFromAllToATenthOfAPercent) {
  constexpr std::uint32_t kBurst = 4;
  constexpr unsigned kSeeds = 200;
  Sample gaps[5];
  for (unsigned seed = 1; seed <= kSeeds; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    Repeated f(seed, kBurst);
    unsigned burst = f.until(false);  // the last run was not sampled: the gap has begun
    ASSERT_EQ(burst, kBurst);
    for (Sample& gap : gaps) {
      gap.add(1 + f.until(true));
      burst = 1 + f.until(false);
      ASSERT_EQ(burst, kBurst) << "every burst is of the same length";
    }
  }
  std::printf("\nLiteRace: mean gap after each burst of %u executions, and the rate that gives\n ",
              kBurst);
  const double rates[] = {0.1, 0.01, 0.001, 0.001, 0.001};
  for (std::size_t i = 0; i < std::size(gaps); ++i) {
    const double rate = kBurst / (kBurst + gaps[i].mean());
    std::printf("  %.0f (%.2f%%)", gaps[i].mean(), 100 * rate);
    EXPECT_NEAR(rate, rates[i], 0.15 * rates[i]) << "gap " << i;
  }
  std::printf("\n");
}

TEST(LiteRace, TwoSeedsTakeGapsOfDifferentLengths) {
  Repeated a(1, 10), b(2, 10);
  std::vector<unsigned> of_a, of_b;
  for (int i = 0; i < 3; ++i) {
    a.until(false);
    b.until(false);
    of_a.push_back(a.until(true));
    of_b.push_back(b.until(true));
  }
  EXPECT_NE(of_a, of_b);
}

TEST(LiteRace, HeatIsAThreadsAndAFunctionsOwn) {
  Repeated f(1, 10);
  for (int i = 0; i < 11; ++i) f.run(0, 1);
  EXPECT_FALSE(f.run(0, 1)) << "hot";
  EXPECT_TRUE(f.run(0, 2)) << "another function";
  EXPECT_TRUE(f.run(1, 1)) << "another thread";
}

TEST(LiteRace, ColdCodeIsAlwaysSampled) {
  Repeated f(1, 10);
  for (unsigned function = 1; function <= 500; ++function) {
    for (int i = 0; i < 10; ++i) ASSERT_TRUE(f.run(0, function));
  }
}

TEST(LiteRace, AColdCallFromAHotFunctionIsSampledOnItsOwn) {
  analyze::Random random(1);
  Stepper<LiteRace> on(LardRules{}, LiteRace::Settings{1}, random);
  on({enter(0, 1), leave(0, 1), enter(0, 1)});  // the second call of 1 is in a gap
  EXPECT_EQ(on.analysis().work().sampled_accesses, 0u);
  on(wr(0, kX));
  EXPECT_EQ(on.analysis().work().sampled_accesses, 0u);
  on({enter(0, 2), wr(0, kX), leave(0, 2)});
  EXPECT_EQ(on.analysis().work().sampled_accesses, 1u);
  on(wr(0, kX));  // back in 1
  EXPECT_EQ(on.analysis().work().sampled_accesses, 1u);
  on(leave(0, 9));
  on(leave(0, 9));  // more exits than entries: ignored
}

TEST(LiteRace, WithoutFunctionEventsASiteIsAFunction) {
  analyze::Random random(1);
  analyze::HeapPages pages;
  Pool pool(pages);
  Analysis<LiteRace> on(pool, LardRules{}, LiteRace::Settings{10}, random);
  Found found;
  for (std::uint32_t site = 1; site <= 2; ++site) {
    for (int i = 0; i < 1'000; ++i) {
      Event e = wr(0, kX);
      e.site = SiteId{site};
      on.process({&e, 1}, found);
      if (i == 9) {
        EXPECT_EQ(on.work().sampled_accesses % 10, 0u);
      }
    }
    EXPECT_GE(on.work().sampled_accesses, 10u * site);
    EXPECT_LT(on.work().sampled_accesses, 60u * site);
  }
}

// Two threads, each with a hot loop and some cold code. One race is between two accesses in the
// hot function late in the run, one between two in cold code.
class HotAndCold {
 public:
  HotAndCold() {
    Trace loop[2];
    for (unsigned t = 0; t < 2; ++t) {
      for (unsigned i = 0; i < kLoops; ++i) {
        loop[t].push_back(enter(t, kHotFunction));
        loop[t].push_back(wr(t, 0x10'000 + 0x1000 * t + 8 * (i % 50)));
        if (i == kLoops * 3 / 4) loop[t].push_back(wr(t, kHot));
        loop[t].push_back(leave(t, kHotFunction));
        if (i % 30 == 0) {
          const unsigned cold = 100 + i / 30;
          loop[t].push_back(enter(t, cold));
          loop[t].push_back(rd(t, 0x20'000 + 0x1000 * t + 8 * (i % 50)));
          if (i == kLoops / 2 / 30 * 30) loop[t].push_back(wr(t, kCold));
          loop[t].push_back(leave(t, cold));
        }
      }
    }
    // Thread 1 runs behind: a race's two accesses are far apart.
    trace_ = loop[0];
    trace_.insert(trace_.end(), loop[1].begin(), loop[1].end());
    trace_ = numbered(std::move(trace_));
  }
  const Trace& trace() const { return trace_; }

  static constexpr Address kHot = 0x100, kCold = 0x200;
  static constexpr unsigned kLoops = 6'000;
  static constexpr unsigned kHotFunction = 1;

 private:
  Trace trace_;
};

struct Findings {
  unsigned hot = 0;
  unsigned cold = 0;
  Sample rate;
};

template <class Algorithm, class Settings>
Findings over_seeds(const Trace& trace, const Settings& settings, unsigned seeds) {
  Findings f;
  RecycledPages pages;
  for (unsigned seed = 1; seed <= seeds; ++seed) {
    analyze::Random random(seed);
    Pool pool(pages);
    Analysis<Algorithm> analysis(pool, LardRules{}, settings, random);
    Found found;
    analysis.process(trace, found);
    bool hot = false, cold = false;
    for (const Race& r : found.races) {
      hot = hot || r.address == HotAndCold::kHot;
      cold = cold || r.address == HotAndCold::kCold;
    }
    f.hot += hot ? 1 : 0;
    f.cold += cold ? 1 : 0;
    const SampledWork w = analysis.work();
    f.rate.add(static_cast<double>(w.sampled_accesses) / static_cast<double>(w.accesses));
  }
  return f;
}

TEST(LiteRace, MissesARaceInHotCodeThatPacerFindsAtTheSameRate) {
  constexpr unsigned kSeeds = 600;
  const HotAndCold program;
  const Findings lite = over_seeds<LiteRace>(program.trace(), LiteRace::Settings{10}, kSeeds);
  const double rate = lite.rate.mean();
  const Findings pacer = over_seeds<PeriodicPacer>(
      program.trace(), PeriodicPacer::Settings{rate, 100, Pacer::Scope::Global}, kSeeds);
  std::printf("\n%-10s %14s %18s %19s   (%u runs)\n", "", "effective rate", "hot race found in",
              "cold race found in", kSeeds);
  for (const auto& [name, f] : {std::pair{"literace", lite}, std::pair{"pacer", pacer}}) {
    std::printf("%-10s %13.2f%% %18u %19u\n", name, 100 * f.rate.mean(), f.hot, f.cold);
  }
  EXPECT_GT(rate, 0.01);
  EXPECT_LT(rate, 0.10);
  EXPECT_NEAR(pacer.rate.mean(), rate, rate / 5);
  EXPECT_EQ(lite.hot, 0u);
  EXPECT_EQ(lite.cold, kSeeds);
  EXPECT_TRUE(wilson(pacer.hot, kSeeds).holds(rate)) << pacer.hot;
  EXPECT_TRUE(wilson(pacer.cold, kSeeds).holds(rate)) << pacer.cold;
}

// Calls and returns put into a random trace.
Trace with_functions(const Trace& trace, std::uint64_t seed) {
  analyze::Random random(seed);
  Trace out;
  std::map<ThreadId, std::vector<unsigned>> stack;
  for (const Event& e : trace) {
    if (e.thread != kAllThreads && random.below(2) == 0) {
      auto& calls = stack[e.thread];
      if (!calls.empty() && random.below(2) == 0) {
        out.push_back(leave(raw(e.thread), calls.back()));
        calls.pop_back();
      } else if (calls.size() < 3) {
        calls.push_back(static_cast<unsigned>(random.below(3)));
        out.push_back(enter(raw(e.thread), calls.back()));
      }
    }
    out.push_back(e);
  }
  return numbered(std::move(out));
}

TEST(LiteRace, SynchronisationIsAlwaysSeenSoNoReportIsFalse) {
  const Shape shapes[] = {{.threads = 4, .variables = 4, .locks = 2, .volatiles = 1, .rwlocks = 1},
                          {.threads = 4,
                           .variables = 3,
                           .rwlocks = 1,
                           .odd_sizes = true,
                           .atomics = true,
                           .memory = true,
                           .sync_percent = 60}};
  unsigned reports = 0, skipped = 0;
  for (const Shape& shape : shapes) {
    for (unsigned seed = 1; seed <= 400; ++seed) {
      SCOPED_TRACE(testing::Message() << "seed " << seed);
      const Trace trace = with_functions(random_trace(shape, seed, 150), seed);
      const Truth<> truth(trace);
      analyze::Random random(seed);
      for (const std::uint32_t burst : {1u, 3u}) {
        const Clock limit = burst == 1 ? kMaxClock : 3;  // with few values threads change slots
        const auto races = run<LiteRace>(trace, LiteRace::Settings{burst}, random, limit);
        for (const Race& r : races) ASSERT_TRUE(truth.pairs.count(pair_of(r)));
        reports += races.empty() ? 0 : 1;
        skipped += races.empty() && !truth.pairs.empty() ? 1 : 0;
      }
    }
  }
  EXPECT_GT(reports, 100u) << "hardly a report: the test shows little";
  EXPECT_GT(skipped, 0u) << "nothing was skipped: the test shows little";
}

}  // namespace
}  // namespace steward::test
