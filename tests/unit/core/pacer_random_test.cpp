// PACER's promises on random traces with random sampling periods, global and per thread.
#include <gtest/gtest.h>

#include "core/pacer/pacer.h"
#include "support/random_trace.h"
#include "unit/core/against_oracle.h"
#include "unit/core/pacer_spec.h"

namespace steward::test {
namespace {

struct Case {
  const char* name;
  Shape shape;
  Pacer::Scope scope;
  std::size_t length;
  unsigned traces;
};

void PrintTo(const Case& c, std::ostream* out) { *out << c.name; }

class SampledTraces : public testing::TestWithParam<Case> {};

TEST_P(SampledTraces, SampledShortestRacesAreFoundAndNothingElse) {
  const Case& c = GetParam();
  unsigned with_races = 0;
  for (unsigned seed = 1; seed <= c.traces; ++seed) {
    SCOPED_TRACE(testing::Message() << c.name << ", seed " << seed);
    const Trace trace = random_trace(c.shape, seed, c.length);
    const PacerSpec<> spec(trace, c.scope);
    for (const Clock limit : {kMaxClock, Clock{2}}) {
      const auto races = run<Pacer>(trace, c.scope, limit);
      ASSERT_STREQ(spec.violation(races), nullptr) << "with clocks up to " << limit;
      with_races += races.empty() ? 0 : 1;
    }
  }
  EXPECT_GT(with_races, c.traces / 10) << "hardly a race: the test shows little";
}

using Sampling = Shape::Sampling;
constexpr Shape shape(unsigned threads, unsigned variables, unsigned sync, Sampling sampling) {
  return {.threads = threads, .variables = variables, .locks = 2, .volatiles = 2, .rwlocks = 1,
          .sampling = sampling, .sync_percent = sync};
}

INSTANTIATE_TEST_SUITE_P(
    Shapes, SampledTraces,
    testing::Values(
        Case{"global_short", shape(3, 1, 60, Sampling::Global), Pacer::Scope::Global, 24, 20000},
        Case{"thread_short", shape(3, 1, 60, Sampling::Thread), Pacer::Scope::Thread, 24, 20000},
        Case{"global", shape(5, 8, 70, Sampling::Global), Pacer::Scope::Global, 400, 300},
        Case{"thread", shape(5, 8, 70, Sampling::Thread), Pacer::Scope::Thread, 400, 300},
        Case{"global_threads", shape(30, 20, 80, Sampling::Global), Pacer::Scope::Global, 2000, 8},
        Case{"thread_threads", shape(30, 20, 80, Sampling::Thread), Pacer::Scope::Thread, 2000, 8}),
    [](const auto& i) { return i.param.name; });

// Atomic accesses, odd sizes, memory that is freed and moved: which PacerSpec's exact account of
// the first report does not cover. Every report is still a true race with a sampled first access,
// and on whole words no variable with a sampled, shortest race goes without a report.
class SampledEverything : public testing::TestWithParam<Case> {};

std::vector<bool> sampled_events(const Trace& trace) {
  std::vector<bool> sampled;
  std::map<ThreadId, bool> on;
  bool all = false;
  for (const Event& e : trace) {
    if (e.kind == EventKind::SampleBegin || e.kind == EventKind::SampleEnd) {
      (e.thread == kAllThreads ? all : on[e.thread]) = e.kind == EventKind::SampleBegin;
    }
    sampled.push_back(all || on[e.thread]);
  }
  return sampled;
}

TEST_P(SampledEverything, ReportsAreTrueAndSampledShortestRacesAreFound) {
  const Case& c = GetParam();
  unsigned with_races = 0;
  for (unsigned seed = 1; seed <= c.traces; ++seed) {
    SCOPED_TRACE(testing::Message() << c.name << ", seed " << seed);
    const Trace trace = random_trace(c.shape, seed, c.length);
    const PacerSpec<> spec(trace, c.scope);
    const Truth<> truth(trace);
    const std::vector<bool> sampled = sampled_events(trace);
    for (const Clock limit : {kMaxClock, Clock{2}}) {
      const auto races = run<Pacer>(trace, c.scope, limit);
      std::map<Address, std::size_t> reported;
      for (const Race& r : races) {
        ASSERT_TRUE(truth.pairs.count(pair_of(r))) << first_event(r) << " " << second_event(r);
        ASSERT_TRUE(sampled[first_event(r)]) << first_event(r) << " " << second_event(r);
        reported.emplace(r.address, second_event(r));
      }
      with_races += races.empty() ? 0 : 1;
      if (c.shape.odd_sizes || c.shape.memory) continue;
      for (std::size_t b = 0; b < trace.size(); ++b) {
        if (!trace[b].is_access() || !spec.sampled_shortest(b)) continue;
        const auto report = reported.find(trace[b].address);
        ASSERT_TRUE(report != reported.end() && report->second <= b) << "missed at " << b;
      }
    }
  }
  EXPECT_GT(with_races, c.traces / 10) << "hardly a race: the test shows little";
}

constexpr Shape with_atomics(Shape s) {
  s.atomics = true;
  return s;
}
constexpr Shape with_all(Shape s) {
  s.atomics = s.odd_sizes = s.memory = true;
  return s;
}

INSTANTIATE_TEST_SUITE_P(
    Shapes, SampledEverything,
    testing::Values(Case{"atomics_global_short", with_atomics(shape(3, 1, 60, Sampling::Global)),
                         Pacer::Scope::Global, 24, 8000},
                    Case{"atomics_thread_short", with_atomics(shape(3, 1, 60, Sampling::Thread)),
                         Pacer::Scope::Thread, 24, 8000},
                    Case{"atomics_global", with_atomics(shape(5, 4, 60, Sampling::Global)),
                         Pacer::Scope::Global, 300, 200},
                    Case{"atomics_thread", with_atomics(shape(5, 4, 60, Sampling::Thread)),
                         Pacer::Scope::Thread, 300, 200},
                    Case{"all_global", with_all(shape(4, 4, 60, Sampling::Global)),
                         Pacer::Scope::Global, 150, 300},
                    Case{"all_thread", with_all(shape(4, 4, 60, Sampling::Thread)),
                         Pacer::Scope::Thread, 150, 300}),
    [](const auto& i) { return i.param.name; });

}  // namespace
}  // namespace steward::test
