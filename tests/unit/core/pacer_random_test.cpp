// PACER's promises on random traces with random sampling periods, global and per thread.
#include <gtest/gtest.h>

#include "core/pacer/pacer.h"
#include "support/random_trace.h"
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

}  // namespace
}  // namespace steward::test
