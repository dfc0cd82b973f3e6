// Detectors against the oracle on long random traces. The seed of a failing trace is printed.
#include <gtest/gtest.h>

#include "core/fasttrack/fasttrack.h"
#include "core/generic/generic.h"
#include "core/pacer/pacer.h"
#include "support/random_trace.h"
#include "unit/core/against_oracle.h"

namespace steward::test {
namespace {

struct Case {
  const char* name;
  Shape shape;
  std::size_t length;
  unsigned traces;
};

void PrintTo(const Case& c, std::ostream* out) { *out << c.name; }

class RandomTraces : public testing::TestWithParam<Case> {};

// Bytes that the oracle says are racy, and those a detector reports.
std::set<Address> racy_bytes(const Trace& trace) {
  std::set<Address> bytes;
  oracle::Oracle<> oracle;
  for (const Event& e : trace) {
    // A byte is racy when the access to it alone races.
    for (const auto& p : oracle.add(e)) {
      const Event& a = trace[p.first];
      for (Address x = e.address; x < e.address + e.size; ++x) {
        // Moves give an earlier access's history to other addresses; then any byte may be meant.
        if (x >= a.address && x < a.address + a.size) bytes.insert(x);
      }
    }
  }
  return bytes;
}

std::set<Address> reported_bytes(const std::vector<Race>& races) {
  std::set<Address> bytes;
  for (const Race& r : races) {
    for (Address x = r.address; x < r.address + r.size; ++x) bytes.insert(x);
  }
  return bytes;
}

// Where a detector reported: the access and the bytes.
using Places = std::set<std::tuple<std::uint64_t, Address, std::uint32_t>>;
Places places(const std::vector<Race>& races, std::uint64_t shift = 0) {
  Places all;
  for (const Race& r : races) all.emplace(r.event - shift, r.address, r.size);
  return all;
}
std::set<oracle::Pair> pairs(const std::vector<Race>& races) {
  std::set<oracle::Pair> all;
  for (const Race& r : races) all.insert(pair_of(r));
  return all;
}

TEST_P(RandomTraces, GenericIsExactAtEveryAccess) {
  const Case& c = GetParam();
  for (unsigned seed = 1; seed <= c.traces; ++seed) {
    SCOPED_TRACE(testing::Message() << c.name << ", seed " << seed);
    const Trace trace = random_trace(c.shape, seed, c.length);
    const Truth<> truth(trace);
    std::set<std::size_t> racy, reported;
    for (const auto& p : truth.pairs) racy.insert(p.second);
    for (const Race& r : run<Generic>(trace)) {
      ASSERT_TRUE(truth.pairs.count(pair_of(r))) << first_event(r) << " " << second_event(r);
      reported.insert(second_event(r));
    }
    ASSERT_EQ(reported, racy);
  }
}

TEST_P(RandomTraces, FastTrackFindsEveryRacyVariable) {
  const Case& c = GetParam();
  std::size_t racy = 0;
  for (unsigned seed = 1; seed <= c.traces; ++seed) {
    SCOPED_TRACE(testing::Message() << c.name << ", seed " << seed);
    const Trace trace = random_trace(c.shape, seed, c.length);
    const Truth<> truth(trace);
    const auto races = run<FastTrack>(trace);
    // Every report is a true race, not only the first.
    for (const Race& r : races) ASSERT_TRUE(truth.pairs.count(pair_of(r)));
    if (!c.shape.memory) {
      ASSERT_EQ(reported_bytes(races), racy_bytes(trace));
    }
    racy += truth.pairs.empty() ? 0 : 1;
  }
  EXPECT_GT(racy, 0u) << "no trace had a race: the test shows nothing";
}

TEST_P(RandomTraces, FewClockValuesChangeNothing) {
  // With three values a slot, threads change slots all the time.
  const Case& c = GetParam();
  for (unsigned seed = 1; seed <= c.traces; ++seed) {
    SCOPED_TRACE(testing::Message() << c.name << ", seed " << seed);
    const Trace trace = random_trace(c.shape, seed, c.length);
    // Several slots of one thread may each hold one of its accesses: more pairs, the same places.
    ASSERT_EQ(places(run<FastTrack>(trace)), places(run<FastTrack>(trace, Clock{3})));
    ASSERT_EQ(places(run<Generic>(trace)), places(run<Generic>(trace, Clock{3})));
  }
}

TEST_P(RandomTraces, PacerAlwaysSamplingIsFastTrack) {
  const Case& c = GetParam();
  for (unsigned seed = 1; seed <= c.traces; ++seed) {
    SCOPED_TRACE(testing::Message() << c.name << ", seed " << seed);
    const Trace trace = random_trace(c.shape, seed, c.length);
    Trace sampled = trace;
    sampled.insert(sampled.begin(), sbegin_all());

    const auto fasttrack = run<FastTrack>(trace);
    for (const auto scope : {Pacer::Scope::Global, Pacer::Scope::Thread}) {
      const auto pacer = run<Pacer>(sampled, scope);
      ASSERT_EQ(places(pacer, 1), places(fasttrack));
      // A verdict lists eight conflicts; past that the two may choose different ones.
      if (c.shape.threads < Verdict::kListed) {
        ASSERT_EQ(pairs(pacer), pairs(fasttrack));
      }
      ASSERT_EQ(places(run<Pacer>(sampled, scope, Clock{3})), places(pacer));
    }
  }
}

constexpr Shape kWords{.threads = 4, .variables = 6, .locks = 2, .volatiles = 1, .rwlocks = 1};
constexpr Shape kBytes{.threads = 4, .variables = 4, .rwlocks = 1, .odd_sizes = true};
constexpr Shape kAtomics{.threads = 4, .variables = 3, .rwlocks = 1, .atomics = true};
constexpr Shape kMemory{
    .threads = 4, .variables = 6, .odd_sizes = true, .atomics = true, .memory = true};
constexpr Shape kManyThreads{.threads = 40, .variables = 20, .locks = 5, .volatiles = 3,
                             .rwlocks = 2, .sync_percent = 60};
constexpr Shape kOrderly{.threads = 3, .variables = 30, .locks = 1, .volatiles = 2,
                         .sync_percent = 85};

INSTANTIATE_TEST_SUITE_P(
    Shapes, RandomTraces,
    testing::Values(Case{"short", kWords, 25, 2000}, Case{"words", kWords, 300, 150},
                    Case{"orderly", kOrderly, 400, 150}, Case{"bytes", kBytes, 150, 200},
                    Case{"atomics_short", kAtomics, 20, 3000}, Case{"atomics", kAtomics, 150, 150},
                    Case{"memory", kMemory, 150, 200}, Case{"threads", kManyThreads, 3000, 6}),
    [](const auto& i) { return i.param.name; });

}  // namespace
}  // namespace steward::test
