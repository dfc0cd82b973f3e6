#include "report/merge_runs.h"

#include <gtest/gtest.h>
#include <random>

#include "report/fingerprint.h"

#include "sample.h"

namespace steward::report {
namespace {

// Race number i of a program whose functions begin `shift` lines further down.
Race race(unsigned i, unsigned shift = 0) {
  Race r = sample_race();
  for (Access& access : r.accesses) {
    for (Frame& f : access.stack) {
      f.function += std::to_string(i);
      f.start_line = 10 + shift;
      f.line += 10 + shift;
      f.pc += 0x1000 * shift;
      f.offset += 0x1000 * shift;
    }
  }
  r.fingerprint = fingerprint(r);
  return r;
}

Report run(std::vector<Race> races, std::optional<double> rate = std::nullopt,
           std::vector<std::string> command = {"./app"}) {
  Report report;
  report.tool = rate ? "pacer" : "fasttrack";
  report.sampling_rate = rate;
  report.run.command = std::move(command);
  report.races = std::move(races);
  return report;
}

Report merged(std::vector<Report> reports) {
  RunMerger merger;
  for (Report& report : reports) merger.add(std::move(report));
  return merger.finish();
}

TEST(MergeRuns, CountsRunsAndOccurrences) {
  Race twice = race(1);
  twice.count = 5;
  const Report m = merged({run({race(0), twice}), run({}), run({race(1)})});
  ASSERT_EQ(m.races.size(), 2U);
  EXPECT_EQ(m.runs(), 3U);
  // the one seen more often comes first
  EXPECT_EQ(m.races[0].fingerprint, race(1).fingerprint);
  EXPECT_EQ(m.races[0].count, 6U);
  EXPECT_EQ(m.races[0].runs_seen(), 2U);
  EXPECT_EQ(m.races[1].runs_seen(), 1U);
  EXPECT_DOUBLE_EQ(m.races[1].frequency->estimate, 1.0 / 3);
}

TEST(MergeRuns, HundredsOfRunsOverARebuildWithShiftedLines) {
  std::mt19937_64 random(7);  // NOLINT: the same draws in every run
  std::vector<Report> reports;
  std::map<std::string, std::uint64_t> truth;
  for (unsigned i = 0; i < 400; ++i) {
    std::vector<Race> races;
    for (unsigned k = 0; k < 25; ++k) {
      if (random() % 3 != 0) continue;
      races.push_back(race(k, i < 200 ? 0 : 17));
      if (random() % 2 == 0) std::swap(races.back().accesses[0], races.back().accesses[1]);
      ++truth[race(k).fingerprint];
    }
    reports.push_back(run(std::move(races)));
  }
  const Report m = merged(std::move(reports));
  EXPECT_EQ(m.races.size(), 25U);
  for (const Race& r : m.races) {
    EXPECT_EQ(r.runs_seen(), truth[r.fingerprint]);
    EXPECT_NEAR(r.frequency->estimate, 1.0 / 3, 0.1);
  }
}

TEST(MergeRuns, SampledRunsCountByTheirRate) {
  std::vector<Report> reports;
  for (unsigned i = 0; i < 100; ++i) {
    reports.push_back(run(i < 10 ? std::vector{race(0)} : std::vector<Race>(), 0.25));
  }
  // another program, that says nothing of the race
  reports.push_back(run({}, std::nullopt, {"./other"}));
  const Report m = merged(std::move(reports));
  EXPECT_DOUBLE_EQ(m.races[0].frequency->estimate, 0.4);
  ASSERT_EQ(m.batches.size(), 2U);
  EXPECT_EQ(m.batches[0].runs, 100U);
  EXPECT_EQ(m.batches[0].sampling_rate, 0.25);
}

TEST(MergeRuns, MergingInTwoStepsIsMergingInOne) {
  const auto reports = [](unsigned from, unsigned to) {
    std::vector<Report> out;
    for (unsigned i = from; i < to; ++i) {
      out.push_back(
          run({race(i % 5), race(i % 3)}, i % 2 == 0 ? std::optional(0.5) : std::nullopt));
    }
    return out;
  };
  const Report one = merged(reports(0, 40));
  const Report two = merged({merged(reports(0, 13)), merged(reports(13, 40))});
  ASSERT_EQ(one.races.size(), two.races.size());
  EXPECT_EQ(one.runs(), two.runs());
  for (const Race& a : one.races) {
    const auto b = std::find_if(two.races.begin(), two.races.end(),
                                [&](const Race& r) { return r.fingerprint == a.fingerprint; });
    ASSERT_NE(b, two.races.end());
    EXPECT_EQ(a.runs_seen(), b->runs_seen());
    EXPECT_EQ(a.count, b->count);
    EXPECT_DOUBLE_EQ(a.frequency->low, b->frequency->low);
  }
}

TEST(MergeRuns, ADeeperRecursionIsTheSameRaceAndOneRun) {
  Race deep = race(0);
  deep.accesses[0].stack.insert(deep.accesses[0].stack.begin(), deep.accesses[0].stack[0]);
  deep.fingerprint = fingerprint(deep);
  EXPECT_EQ(deep.fingerprint, race(0).fingerprint);
  const Report m = merged({run({race(0), deep}), run({})});
  EXPECT_EQ(m.races[0].runs_seen(), 1U);
  EXPECT_EQ(m.races[0].count, 2U);
}

Race lost(unsigned i) {
  Race r = race(i);
  r.accesses[1].stack.clear();
  r.accesses[1].stack_lost = true;
  r.fingerprint = fingerprint(r);
  return r;
}

TEST(MergeRuns, ARaceThatLostAStackFindsItsLike) {
  EXPECT_NE(lost(0).fingerprint, race(0).fingerprint);
  // before, after, beside
  const Report m =
      merged({run({lost(0)}), run({race(0), lost(0)}), run({lost(0)}), run({lost(1)})});
  ASSERT_EQ(m.races.size(), 2U);
  EXPECT_EQ(m.races[0].fingerprint, race(0).fingerprint);
  EXPECT_EQ(m.races[0].runs_seen(), 3U);
  EXPECT_EQ(m.races[1].runs_seen(), 1U);
}

TEST(MergeRuns, TheStandardLibrarysFramesDoNotCount) {
  Race r = race(0);
  r.accesses[0].stack.push_back(
      frame("void std::__invoke_impl<void>", "/usr/include/c++/12/bits/invoke.h", 61));
  Race other = race(0);
  other.accesses[0].stack.push_back(
      frame("void std::__invoke_impl<void>", "/usr/include/c++/13/bits/invoke.h", 70));
  EXPECT_EQ(fingerprint(r), fingerprint(other));
}

TEST(MergeRuns, TheWorstVerdictStays) {
  const auto judged = [](Harm harm, std::uint64_t runs) {
    Race r = race(0);
    r.verdict.emplace();
    r.verdict->harm = harm;
    r.verdict->runs = runs;
    return r;
  };
  const Report m = merged({run({race(0)}), run({judged(Harm::NotExercised, 9)}),
                           run({judged(Harm::NoHarmSeen, 10)}), run({judged(Harm::NoHarmSeen, 90)}),
                           run({race(1), race(1)}), run({race(1)}), run({race(1)})});
  EXPECT_EQ(m.races[0].harm(), Harm::NoHarmSeen);
  EXPECT_EQ(m.races[0].verdict->runs, 90U);
  // what does harm comes first, however seldom
  const Report n = merged({run({judged(Harm::Destructive, 1), race(1)}), run({race(1)})});
  EXPECT_EQ(n.races[0].harm(), Harm::Destructive);
}

TEST(MergeRuns, PidsAndThreadIdsOfOneRunAreNotThoseOfAnother) {
  Race a = race(0);
  Race b = race(1);
  b.threads[1].name = "other";
  const Report m = merged({run({a}), run({b})});
  ASSERT_EQ(m.threads.size(), 4U);
  EXPECT_NE(m.races[0].run, m.races[1].run);
  for (const Race& r : m.races) {
    for (const Thread& t : r.threads) EXPECT_EQ(t.run, r.run);
  }
}

TEST(Baseline, NewKnownAndGone) {
  Report m = merged({run({race(0), race(2)})});
  compare(m, merged({run({race(0, 30), race(1)})}));
  ASSERT_EQ(m.races.size(), 2U);
  EXPECT_EQ(m.races[0].fingerprint, race(2).fingerprint);
  EXPECT_EQ(m.races[0].novelty, Novelty::New);
  EXPECT_EQ(m.races[1].novelty, Novelty::Known);
  ASSERT_EQ(m.gone.size(), 1U);
  EXPECT_EQ(m.gone[0].fingerprint, race(1).fingerprint);
}

TEST(Baseline, ALostStackIsNoNews) {
  Report m = merged({run({lost(0)})});
  compare(m, merged({run({race(0)})}));
  EXPECT_EQ(m.races[0].novelty, Novelty::Known);
  EXPECT_TRUE(m.gone.empty());
  m = merged({run({race(0)})});
  compare(m, merged({run({lost(0)})}));
  EXPECT_EQ(m.races[0].novelty, Novelty::Known);
  EXPECT_TRUE(m.gone.empty());
  m = merged({run({lost(1)})});
  compare(m, merged({run({race(0)})}));
  EXPECT_EQ(m.races[0].novelty, Novelty::New);
}

}  // namespace
}  // namespace steward::report
