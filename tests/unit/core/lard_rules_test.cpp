// LARD's five rules (LARD paper, Table 1 and Figure 1): with a rule the detectors tell the truth of
// the language's execution; with that rule alone switched off they report a false race or miss a
// true one.
#include <gtest/gtest.h>

#include "core/fasttrack/fasttrack.h"
#include "core/generic/generic.h"
#include "core/pacer/pacer.h"

#include "support/random_trace.h"
#include "unit/core/against_oracle.h"
#include "unit/core/stepper.h"

namespace steward::test {
namespace {

constexpr unsigned kT1 = 1, kT2 = 2, kGc = 9;
constexpr Address kObject = 0x8c;
constexpr Address kMoved = 0xbc;
constexpr std::uint64_t kBarrier = 7;

template <class Algorithm>
class LardRule : public testing::Test {
 protected:
  // Indices are of the trace given; PACER samples from before its first event.
  static Reports reports(const Trace& trace, const LardRules& rules = {}) {
    Stepper<Algorithm> on(rules);
    on(sbegin_all());
    Reports r = on.feed(trace);
    for (Between& b : r) b = {b.first - 1, b.second - 1};
    // Accesses that span granules are reported for each.
    std::sort(r.begin(), r.end());
    r.erase(std::unique(r.begin(), r.end()), r.end());
    return r;
  }
};
using Detectors = testing::Types<Generic, FastTrack, Pacer>;
TYPED_TEST_SUITE(LardRule, Detectors);

constexpr LardRules kNoTrackedAccesses{.tracked_accesses = false};
constexpr LardRules kNoTrackedSync{.tracked_sync = false};
constexpr LardRules kNoClearHistory{.clear_history = false};
constexpr LardRules kNoMoveHistory{.move_history = false};
constexpr LardRules kNoThreadIdentity{.thread_identity = false};

// Rule 1. A collector traverses the heap while threads go on writing to it.
TYPED_TEST(LardRule, UntrackedAccessesDoNotRace) {
  const Trace trace = {of_system(rd(kGc, kObject)), wr(kT1, kObject)};
  EXPECT_EQ(this->reports(trace), Reports{});
  EXPECT_EQ(this->reports(trace, kNoTrackedAccesses), (Reports{{0, 1}})) << "a false race";
}

// An untracked write must not take the place of a tracked one in the history either.
TYPED_TEST(LardRule, UntrackedAccessesDoNotHideTrackedOnes) {
  const Trace trace = {wr(kT1, kObject), of_system(wr(kGc, kObject)), wr(kT2, kObject)};
  EXPECT_EQ(this->reports(trace), (Reports{{0, 2}}));
  const Reports naive = this->reports(trace, kNoTrackedAccesses);
  EXPECT_NE(naive, (Reports{{0, 2}}));
  if constexpr (!std::is_same_v<TypeParam, Generic>) {  // which forgets nothing
    EXPECT_EQ(naive, (Reports{{0, 1}, {1, 2}})) << "two false races instead of the true one";
  }
}

// Rule 2. A collection stops the world between two accesses that race: C and D of the figure.
TYPED_TEST(LardRule, UntrackedSynchronisationDoesNotOrder) {
  const Trace trace = {rd(kT1, kObject),
                       wr(kT1, kObject),
                       of_system(vw(kT1, kBarrier)),
                       of_system(vr(kGc, kBarrier)),
                       of_system(vw(kGc, kBarrier)),
                       of_system(vr(kT2, kBarrier)),
                       rd(kT2, kObject),
                       wr(kT2, kObject)};
  EXPECT_FALSE(this->reports(trace).empty());
  EXPECT_EQ(this->reports(trace, kNoTrackedSync), Reports{}) << "a missed race";
}

TYPED_TEST(LardRule, EveryKindOfUntrackedSynchronisation) {
  const Event pairs[][2] = {{rel(kT1, 3), acq(kT2, 3)},
                            {rrel(kT1, 3), acq(kT2, 3)},
                            {vs(kT1, 3), vr(kT2, 3)},
                            {fork(kT1, kT2), rd(kT2, 0x500)},
                            {rd(kT1, 0x600), join(kT2, kT1)}};
  for (const auto& [first, second] : pairs) {
    auto hidden = [](const Event& e) { return e.is_sync() ? of_system(e) : e; };
    const Trace trace = {wr(kT1, kObject), hidden(first), hidden(second), wr(kT2, kObject)};
    EXPECT_EQ(this->reports(trace), (Reports{{0, 3}}));
    EXPECT_EQ(this->reports(trace, kNoTrackedSync), Reports{});
  }
}

// Rule 3. One object dies, another is put in its place: E and F.
TYPED_TEST(LardRule, ANewObjectHasNoPast) {
  const Trace trace = {range(EventKind::Alloc, kT1, 0xd4, 8), wr(kT1, 0xd4),
                       of_system(free_of(kGc, 0xd4, 8)), range(EventKind::Alloc, kT2, 0xd4, 8),
                       wr(kT2, 0xd4)};
  EXPECT_EQ(this->reports(trace), Reports{});
  EXPECT_EQ(this->reports(trace, kNoClearHistory), (Reports{{1, 4}})) << "a false race";
}

TYPED_TEST(LardRule, OnlyTheDeadObjectsBytesAreCleared) {
  const Trace trace = {wr(kT1, 0xd0, 16), free_of(kT1, 0xd3, 6), wr(kT2, 0xd3, 6), wr(kT2, 0xd2, 1),
                       wr(kT2, 0xd9, 1)};
  EXPECT_EQ(this->reports(trace), (Reports{{0, 3}, {0, 4}}));
}

// Rule 4. The collector moves the object between the two accesses: G and H.
TYPED_TEST(LardRule, AMovedObjectKeepsItsPast) {
  const Trace trace = {wr(kT1, kObject, 4), of_system(move_of(kGc, kObject, kMoved, 4)),
                       of_system(free_of(kGc, kObject, 4)), wr(kT2, kMoved, 4)};
  EXPECT_EQ(this->reports(trace), (Reports{{0, 3}}));
  EXPECT_EQ(this->reports(trace, kNoMoveHistory), Reports{}) << "a missed race";
}

TYPED_TEST(LardRule, AMoveOntoAnOldPlaceBringsTheMoversPastAlone) {
  // Where the destination was not freed first, its past must go: the bytes hold another object.
  const Trace trace = {wr(kT1, kMoved), of_system(move_of(kGc, kObject, kMoved, 8)),
                       wr(kT2, kMoved)};
  EXPECT_EQ(this->reports(trace), Reports{});
  EXPECT_EQ(this->reports(trace, kNoMoveHistory), (Reports{{0, 2}})) << "a false race";
}

TYPED_TEST(LardRule, ACompactionMovesOverlappingBytes) {
  Trace trace;
  for (unsigned i = 0; i < 4; ++i) trace.push_back(wr(kT1 + i, kObject + 8 * i));
  trace.push_back(move_of(kGc, kObject, kObject - 12, 32));
  for (unsigned i = 0; i < 4; ++i) trace.push_back(rd(20, kObject - 12 + 8 * i));
  EXPECT_EQ(this->reports(trace), (Reports{{0, 5}, {1, 6}, {2, 7}, {3, 8}}));
}

// Rule 5. Two language threads on one kernel thread, and one on two.
TYPED_TEST(LardRule, TwoThreadsOnOneCarrierRace) {
  const Trace trace = {switch_to(0, 11), wr(0, kObject), switch_to(0, 12), wr(0, kObject)};
  EXPECT_EQ(this->reports(trace), (Reports{{1, 3}}));
  EXPECT_EQ(this->reports(trace, kNoThreadIdentity), Reports{}) << "a missed race";
}

TYPED_TEST(LardRule, OneThreadOnTwoCarriersDoesNotRaceWithItself) {
  const Trace trace = {switch_to(0, 11), wr(0, kObject), switch_to(0, 12), switch_to(1, 11),
                       wr(1, kObject)};
  EXPECT_EQ(this->reports(trace), Reports{});
  EXPECT_EQ(this->reports(trace, kNoThreadIdentity), (Reports{{1, 4}})) << "a false race";
}

TYPED_TEST(LardRule, SynchronisationFollowsTheLanguageThread) {
  const Trace trace = {switch_to(0, 11), wr(0, kObject), switch_to(1, 11), rel(1, 3),
                       switch_to(0, 12), acq(0, 3),      wr(0, kObject)};
  EXPECT_EQ(this->reports(trace), Reports{});
}

TYPED_TEST(LardRule, ReportsNameLanguageThreads) {
  Stepper<TypeParam> on;
  on({sbegin_all(), switch_to(0, 11), wr(0, kObject, 4), switch_to(0, 12), wr(0, kObject, 4)});
  ASSERT_EQ(on.races().size(), 1u);
  EXPECT_EQ(on.races()[0].first.thread, ThreadId{11});
  EXPECT_EQ(on.races()[0].second.thread, ThreadId{12});
}

// All rules at once: a language's execution as a machine sees it. Language threads run on any of a
// few kernel threads, the system touches memory and synchronises in between. Sites are the
// language's, so the races must be those of the language's trace.
Trace lowered(const Trace& language, std::uint64_t seed) {
  constexpr unsigned kCarriers = 3;
  constexpr unsigned kFirst = 1'000;  // language threads, out of the carriers' way
  analyze::Random random(seed);
  Trace out;
  unsigned running[kCarriers] = {0, 1, 2};  // carriers begin as threads of their own
  for (Event e : language) {
    while (random.below(3) == 0) {
      const auto c = static_cast<unsigned>(random.below(kCarriers));
      const Address a = 0x1000 + random.below(48);
      const std::uint64_t m = random.below(2) == 0 ? 1 + random.below(2) : 100 + random.below(2);
      switch (random.below(4)) {
        case 0:
          out.push_back(of_system(wr(c, a, 1 + random.below(8))));
          break;
        case 1:
          out.push_back(of_system(rd(c, a, 1 + random.below(8))));
          break;
        case 2:
          out.push_back(of_system(vw(c, m)));
          break;
        default:
          out.push_back(of_system(vr(c, m)));
      }
    }
    const unsigned t = kFirst + raw(e.thread);
    unsigned c = 0;
    while (c < kCarriers && running[c] != t) ++c;
    if (c == kCarriers || random.below(4) == 0) {
      c = static_cast<unsigned>(random.below(kCarriers));
      out.push_back(switch_to(c, t));
      for (unsigned& other : running) other = other == t ? 0 : other;
      running[c] = t;
    }
    e.thread = ThreadId{c};
    if (e.kind == EventKind::Fork || e.kind == EventKind::Join) e.target += kFirst;
    out.push_back(e);
  }
  return out;
}

TYPED_TEST(LardRule, TheMachinesTraceHasTheLanguagesRaces) {
  const Shape shapes[] = {
      {.threads = 4, .variables = 5, .locks = 2, .volatiles = 2},
      {.threads = 4, .variables = 5, .odd_sizes = true, .atomics = true, .memory = true}};
  std::size_t racy = 0;
  for (const Shape& shape : shapes) {
    for (unsigned seed = 1; seed <= 150; ++seed) {
      SCOPED_TRACE(testing::Message() << "seed " << seed);
      const Trace language = random_trace(shape, seed, 120);
      Trace machine = lowered(language, seed);
      machine.insert(machine.begin(), sbegin_all());
      // The same reports in the same order: the same history at every step.
      std::vector<oracle::Pair> high, low;
      Trace sampled = language;
      sampled.insert(sampled.begin(), sbegin_all());
      for (const Race& r : run<TypeParam>(sampled)) high.push_back(pair_of(r));
      for (const Race& r : run<TypeParam>(machine)) low.push_back(pair_of(r));
      ASSERT_EQ(low.size(), high.size());
      ASSERT_TRUE(low == high);
      const Truth<> truth(language);
      for (const auto& p : low) ASSERT_TRUE(truth.pairs.count(p));
      ASSERT_EQ(low.empty(), truth.pairs.empty());
      racy += low.empty() ? 0 : 1;
    }
  }
  EXPECT_GT(racy, 100u);
}

}  // namespace
}  // namespace steward::test
