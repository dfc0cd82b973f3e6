// PACER's promise, counted: each race is found with a probability equal to the sampling rate
// (paper, section 3.1 and Figure 5), whatever kind of race it is.
//
// The program: three groups of threads that share locks within a group and none across, so that two
// accesses of different groups always race and two of a group never do. Among some thousand events
// of that noise, races are planted between groups, their two accesses many periods apart.
#include <cstdio>
#include <gtest/gtest.h>
#include <set>

#include "core/fasttrack/fasttrack.h"
#include "core/pacer/periodic.h"

#include "support/run.h"
#include "unit/core/statistics.h"

namespace steward::test {
namespace {

constexpr std::uint64_t kPeriod = 100;  // events
constexpr unsigned kGroups = 3, kThreads = 3, kLocks = 4;

unsigned thread_of(unsigned group, unsigned i) {
  return 1 + group * kThreads + i;
}

struct Planted {
  const char* name;
  Event first;
  Event second;
  // Filled in when the trace is made: the two accesses' indices.
  std::size_t at = 0, then = 0;
};

class PlantedTrace {
 public:
  PlantedTrace() {
    const unsigned l = thread_of(0, 0), r = thread_of(1, 0), s = thread_of(2, 0);
    const unsigned late = 50;  // forked in group 1 after its race's first access
    const unsigned gone = thread_of(0, 2), next = 51;  // ends; its slot goes to another
    races = {{"write, write", wr(l, at(0)), wr(r, at(0))},
             {"write, read", wr(l, at(1)), rd(s, at(1))},
             {"read, write", rd(r, at(2)), wr(s, at(2))},
             {"read of two, write", rd(l, at(3)), wr(s, at(3))},
             {"other read of two, write", rd(r, at(3)), wr(s, at(3))},
             {"atomic write, read", awr(l, at(5)), rd(r, at(5))},
             {"write, atomic read", wr(s, at(6)), ard(l, at(6))},
             {"bytes 1-3, bytes 3-4", wr(l, at(7) + 1, 3), wr(r, at(7) + 3, 2)},
             {"write, forked later", wr(l, at(8)), rd(late, at(8))},
             {"thread gone, read", wr(gone, at(9)), rd(r, at(9))},
             {"object moved between", wr(r, at(10)), rd(s, at(20))}};

    for (unsigned t = 1; t <= kGroups * kThreads; ++t) trace.push_back(fork(0, t));
    noise(4 * kPeriod);
    for (std::size_t i = 0; i < races.size(); ++i) {
      plant(races[i].first, races[i].at);
      noise(kPeriod + 17 * i);
    }
    gone_ = true;
    trace.push_back(join(thread_of(0, 1), gone));
    trace.push_back(fork(thread_of(0, 1), next));
    trace.push_back(fork(thread_of(1, 1), late));
    trace.push_back(move_of(r, at(10), at(20), 8));
    noise(3 * kPeriod);
    for (std::size_t i = 0; i < races.size(); ++i) {
      if (i != 0 && races[i].second == races[i - 1].second) {
        races[i].then = races[i - 1].then;
      } else {
        plant(races[i].second, races[i].then);
      }
      noise(kPeriod / 3 + 11 * i);
    }
    trace = numbered(std::move(trace));
  }

  Trace trace;
  std::vector<Planted> races;

 private:
  static Address at(unsigned i) { return 0x1000 + 64 * i; }

  void plant(const Event& e, std::size_t& index) {
    index = trace.size();
    trace.push_back(e);
  }

  // Critical sections: a group's lock, some of the variables it guards.
  void noise(std::size_t events) {
    for (const std::size_t end = trace.size() + events; trace.size() < end;) {
      const auto group = static_cast<unsigned>(random_.below(kGroups));
      const auto i = static_cast<unsigned>(random_.below(kThreads));
      if (gone_ && group == 0 && i == 2) continue;
      const unsigned t = thread_of(group, i);
      const std::uint64_t lock = group * kLocks + random_.below(kLocks);
      trace.push_back(acq(t, 1 + lock));
      for (std::uint64_t n = 1 + random_.below(5); n > 0; --n) {
        const Address a = 0x100'000 + 0x1000 * lock + 8 * random_.below(20);
        trace.push_back(random_.below(2) == 0 ? rd(t, a) : wr(t, a));
      }
      trace.push_back(rel(t, 1 + lock));
    }
  }

  analyze::Random random_{42};
  bool gone_ = false;
};

using Pairs = std::set<std::pair<std::size_t, std::size_t>>;

struct PairSink final : RaceSink {
  void race(const Race& r) override { pairs.emplace(first_event(r), second_event(r)); }
  Pairs pairs;
};

template <class Algorithm, class... Args>
Pairs detect(PageSource& pages, const Trace& trace, Args&&... args) {
  Pool pool(pages);
  Analysis<Algorithm> analysis(pool, LardRules{}, std::forward<Args>(args)...);
  PairSink sink;
  analysis.process(trace, sink);
  return sink.pairs;
}

Pairs planted(const PlantedTrace& t) {
  Pairs all;
  for (const Planted& p : t.races) all.emplace(p.at, p.then);
  return all;
}

TEST(Proportionality, ThePlantedRacesAreAllThereAre) {
  const PlantedTrace t;
  RecycledPages pages;
  EXPECT_EQ(detect<FastTrack>(pages, t.trace), planted(t));
  for (const Planted& p : t.races) EXPECT_GT(p.then - p.at, 5 * kPeriod) << p.name;
}

class DetectionRate : public testing::TestWithParam<Pacer::Scope> {};

TEST_P(DetectionRate, OfEachRaceIsTheSamplingRate) {
  struct Column {
    double rate;
    unsigned runs;
  };
  const Column columns[] = {{0.01, 8'000}, {0.03, 4'000}, {0.10, 2'000}, {0.25, 1'000}, {1, 10}};
  const PlantedTrace t;
  const Pairs all = planted(t);
  RecycledPages pages;
  std::map<std::pair<std::size_t, std::size_t>, std::vector<unsigned>> hits;  // by column
  for (const Column& c : columns) {
    std::map<std::pair<std::size_t, std::size_t>, unsigned> found;
    for (unsigned seed = 1; seed <= c.runs; ++seed) {
      // The same seeds would find the same races in both scopes.
      analyze::Random random(seed + (GetParam() == Pacer::Scope::Global ? 0 : 1'000'000));
      const Pairs pairs = detect<PeriodicPacer>(
          pages, t.trace, PeriodicPacer::Settings{c.rate, kPeriod, GetParam()}, random);
      for (const auto& p : pairs) {
        ASSERT_TRUE(all.count(p)) << "false report, rate " << c.rate << ", seed " << seed;
        ++found[p];
      }
    }
    for (const auto& p : all) hits[p].push_back(found[p]);
  }

  std::printf(
      "\nDetection rate of each race, %%, periods of %s (%zu events, %llu a period)\n  %-26s",
      GetParam() == Pacer::Scope::Global ? "all threads" : "a thread", t.trace.size(),
      static_cast<unsigned long long>(kPeriod), "");
  for (const Column& c : columns) std::printf(" r = %-4g", 100 * c.rate);
  std::printf("\n");
  for (const Planted& p : t.races) {
    std::printf("  %-26s", p.name);
    for (std::size_t i = 0; i < std::size(columns); ++i) {
      const Column& c = columns[i];
      const unsigned n = hits[{p.at, p.then}][i];
      std::printf(" %8.2f", 100.0 * n / c.runs);
      const Interval likely = wilson(n, c.runs);
      EXPECT_TRUE(likely.holds(c.rate))
          << p.name << " at " << c.rate << ": " << n << " of " << c.runs;
    }
    std::printf("\n");
  }
}

INSTANTIATE_TEST_SUITE_P(Scopes, DetectionRate,
                         testing::Values(Pacer::Scope::Global, Pacer::Scope::Thread),
                         [](const auto& i) {
                           return i.param == Pacer::Scope::Global ? "global" : "thread";
                         });

}  // namespace
}  // namespace steward::test
