// Every detector that can be asked for by name runs, finds the race, and minds LARD's rules.
#include "analyze/make_detector.h"

#include <gtest/gtest.h>
#include <set>
#include <string>

#include "analyze/race_table.h"

namespace steward::analyze {
namespace {

Event event(EventKind kind, unsigned thread, Address address = 0) {
  Event e;
  e.kind = kind;
  e.thread = ThreadId{thread};
  e.address = address;
  e.size = 8;
  e.site = SiteId{thread + 1};
  return e;
}

// Two threads write x without order, and y in turns under a lock; all of it sampled.
std::vector<Event> racy() {
  Event begin = event(EventKind::SampleBegin, 0);
  begin.thread = kAllThreads;
  std::vector<Event> t = {begin, event(EventKind::Write, 0, 0x10)};
  for (const unsigned thread : {0u, 1u}) {
    t.push_back(event(EventKind::Acquire, thread, 5));
    t.push_back(event(EventKind::Write, thread, 0x20));
    t.push_back(event(EventKind::Release, thread, 5));
  }
  // Thread 2 has not seen thread 0's write of x.
  t.push_back(event(EventKind::Write, 2, 0x10));
  return t;
}

std::unique_ptr<Detector> made(const char* text, const LardRules& rules = {}) {
  const SpecResult r = parse_specs(text);
  EXPECT_EQ(r.error, "");
  return make_detector(r.specs.at(0), rules);
}

const char* const kAll[] = {"generic",     "fasttrack",
                            "literace",    "literace:burst=1000:seed=3",
                            "pacer:100%",  "pacer:100%:scope=thread:period=2",
                            "pacer:trace", "pacer:trace:scope=thread"};

TEST(MakeDetector, EveryKindFindsTheRaceAndNoOther) {
  for (const char* text : kAll) {
    SCOPED_TRACE(text);
    const auto detector = made(text);
    RaceTable found;
    detector->process(racy(), found);
    ASSERT_EQ(found.dynamic(), 1u);
    const Race& r = found.distinct()[0].example;
    EXPECT_EQ(r.address, 0x10u);
    EXPECT_EQ(r.size, 8u);
    EXPECT_EQ(r.first, (RaceEnd{AccessKind::Write, ThreadId{0}, SiteId{1}}));
    EXPECT_EQ(r.second, (RaceEnd{AccessKind::Write, ThreadId{2}, SiteId{3}}));
    EXPECT_EQ(r.event, racy().size() - 1);
  }
}

TEST(MakeDetector, EventsAreNumberedOverBatches) {
  for (const char* text : kAll) {
    SCOPED_TRACE(text);
    const auto detector = made(text);
    RaceTable found;
    for (const Event& e : racy()) detector->process({&e, 1}, found);
    ASSERT_EQ(found.dynamic(), 1u);
    EXPECT_EQ(found.distinct()[0].example.event, racy().size() - 1);
  }
}

TEST(MakeDetector, StatsAreNamedOnceAndMemoryIsCounted) {
  for (const char* text : kAll) {
    SCOPED_TRACE(text);
    const auto detector = made(text);
    RaceTable found;
    detector->process(racy(), found);
    std::set<std::string> names;
    std::uint64_t sum = 0;
    detector->for_each_stat([&](const Stat& s) {
      EXPECT_TRUE(names.insert(s.name).second) << s.name;
      sum += s.outside + s.sampling;
    });
    EXPECT_GT(names.size(), 5u);
    EXPECT_GT(sum, 5u);
    EXPECT_GT(detector->memory(), 0u);
    EXPECT_GE(detector->peak_memory(), detector->memory());
  }
}

TEST(MakeDetector, WorkIsCounted) {
  for (const char* text : {"generic", "fasttrack", "literace", "pacer:100%"}) {
    SCOPED_TRACE(text);
    const auto detector = made(text);
    RaceTable found;
    detector->process(racy(), found);
    const SampledWork w = detector->work();
    EXPECT_EQ(w.accesses, 4u);
    EXPECT_EQ(w.sampled_accesses, 4u);
    EXPECT_EQ(w.syncs, 4u);
  }
}

TEST(MakeDetector, ARateOfZeroSamplesNothing) {
  const auto detector = made("pacer:0%");
  RaceTable found;
  detector->process(racy(), found);
  EXPECT_EQ(found.dynamic(), 0u);
  EXPECT_EQ(detector->work().sampled_accesses, 0u);
}

TEST(MakeDetector, TheSeedChoosesThePeriods) {
  std::vector<Event> t;
  for (unsigned i = 0; i < 2'000; ++i) {
    Event e = event(EventKind::Write, i % 2, 0x1000 + 8 * (i / 2));
    t.push_back(e);
  }
  auto reports = [&](const char* text) {
    const auto detector = made(text);
    RaceTable found;
    detector->process(t, found);
    return found.dynamic();
  };
  EXPECT_EQ(reports("pacer:20%:period=50:seed=1"), reports("pacer:20%:period=50:seed=1"));
  std::set<std::uint64_t> counts;
  for (const char* seed : {"1", "2", "3", "4", "5"}) {
    counts.insert(reports((std::string("pacer:20%:period=50:seed=") + seed).c_str()));
  }
  EXPECT_GT(counts.size(), 1u);
}

TEST(MakeDetector, LardRulesReachTheAnalysis) {
  std::vector<Event> t = racy();
  for (Event& e : t) e.system = e.is_access();
  for (const char* text : kAll) {
    SCOPED_TRACE(text);
    RaceTable with, without;
    made(text)->process(t, with);
    made(text, LardRules{.tracked_accesses = false})->process(t, without);
    EXPECT_EQ(with.dynamic(), 0u);
    EXPECT_EQ(without.dynamic(), 1u);
  }
}

}  // namespace
}  // namespace steward::analyze
