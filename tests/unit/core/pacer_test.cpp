// PACER on variables, by hand: every rule of Table 4 in both columns, Figure 1, what is discarded
// when, and sampling a thread at a time.
#include "core/pacer/pacer.h"

#include <gtest/gtest.h>

#include "unit/core/stepper.h"

namespace steward::test {
namespace {

using Scope = Pacer::Scope;
constexpr Address kX = 0x1000;
constexpr Address kY = 0x2000;
constexpr std::uint64_t kM = 1;
constexpr std::uint64_t kV = 100;

class PacerRules : public testing::Test {
 protected:
  std::uint64_t count(AccessRule r, bool sampling) { return on.algorithm().count(r, sampling); }
  std::size_t tracked() { return on.algorithm().tracked(); }
  // Orders all that t has done before what u does next. Four events.
  void order(unsigned t, unsigned u) { on({acq(t, kM), rel(t, kM), acq(u, kM), rel(u, kM)}); }
  static Reports sorted(Reports r) {
    std::sort(r.begin(), r.end());
    return r;
  }

  Stepper<Pacer> on;
};

TEST_F(PacerRules, Rule41ReadSameEpochSampling) {
  on({sbegin_all(), rd(0, kX), rd(0, kX)});
  EXPECT_EQ(count(AccessRule::ReadSameEpoch, true), 1u);
  EXPECT_EQ(on(wr(1, kX)), (Reports{{1, 3}}));
}

TEST_F(PacerRules, Rule41ReadSameEpochOutside) {
  on({sbegin_all(), rd(0, kX), send_all(), rd(0, kX)});
  EXPECT_EQ(count(AccessRule::ReadSameEpoch, false), 1u);
  EXPECT_EQ(tracked(), 1u) << "kept: time has not moved since";
  EXPECT_EQ(on(wr(1, kX)), (Reports{{1, 4}}));
}

TEST_F(PacerRules, Rule42ReadExclusiveSampling) {
  on({sbegin_all(), rd(0, kX)});
  order(0, 1);
  on(rd(1, kX));  // 6
  EXPECT_EQ(count(AccessRule::ReadExclusive, true), 2u);
  EXPECT_EQ(on(wr(2, kX)), (Reports{{6, 7}}));
}

TEST_F(PacerRules, Rule42ReadExclusiveOutside) {
  on({sbegin_all(), rd(0, kX), send_all()});
  order(0, 1);
  EXPECT_EQ(tracked(), 1u);
  on(rd(1, kX));
  EXPECT_EQ(count(AccessRule::ReadExclusive, false), 1u);
  EXPECT_EQ(tracked(), 0u) << "the read map is discarded, and nothing else was known";
  EXPECT_EQ(on(wr(2, kX)), Reports{});
}

TEST_F(PacerRules, Rule42DiscardsTheReadsNotTheWrite) {
  on({sbegin_all(), wr(0, kX), rd(0, kX), send_all()});
  order(0, 1);
  on(rd(1, kX));
  EXPECT_EQ(count(AccessRule::ReadExclusive, false), 1u);
  EXPECT_EQ(tracked(), 1u);
  EXPECT_EQ(on(rd(2, kX)), (Reports{{1, 9}}));
}

TEST_F(PacerRules, Rule43ReadSharedSampling) {
  on({sbegin_all(), rd(0, kX), rd(1, kX)});
  EXPECT_EQ(count(AccessRule::ReadShared, true), 1u);
  EXPECT_EQ(sorted(on(wr(2, kX))), (Reports{{1, 3}, {2, 3}}));
}

TEST_F(PacerRules, Rule43ReadSharedOutsideKeepsWhatItIsNotOrderedAfter) {
  on({sbegin_all(), rd(0, kX), send_all(), rd(1, kX)});
  EXPECT_EQ(count(AccessRule::ReadShared, false), 1u);
  EXPECT_EQ(on(wr(2, kX)), (Reports{{1, 4}})) << "read 3 is not sampled and not recorded";
}

TEST_F(PacerRules, Rule43ReadSharedOutsideDiscardsTheThreadsEntryAlone) {
  on({sbegin_all(), rd(0, kX), rd(1, kX), rd(2, kX), send_all()});
  on(rd(0, kX));
  EXPECT_EQ(count(AccessRule::ReadShared, false), 1u);
  EXPECT_EQ(sorted(on(wr(3, kX))), (Reports{{2, 6}, {3, 6}}));
}

TEST_F(PacerRules, Rule43ReadSharedOutsideUntilTheMapIsEmpty) {
  on({sbegin_all(), rd(0, kX), rd(1, kX), send_all(), rd(0, kX)});
  EXPECT_EQ(tracked(), 1u);
  order(1, 2);
  on(rd(2, kX));  // one entry is left, 1's, and it is ordered before
  EXPECT_EQ(count(AccessRule::ReadExclusive, false), 1u);
  EXPECT_EQ(tracked(), 0u);
}

TEST_F(PacerRules, Rules42And43CheckTheWriteFirst) {
  on({sbegin_all(), wr(0, kX)});
  EXPECT_EQ(on(rd(1, kX)), (Reports{{1, 2}}));
  on(send_all());
  EXPECT_EQ(on(rd(2, kX)), (Reports{{1, 4}})) << "the write stays until a write discards it";
}

TEST_F(PacerRules, Rule44WriteSameEpochSampling) {
  on({sbegin_all(), wr(0, kX), wr(0, kX)});
  EXPECT_EQ(count(AccessRule::WriteSameEpoch, true), 1u);
  EXPECT_EQ(on(wr(1, kX)), (Reports{{1, 3}}));
}

TEST_F(PacerRules, Rule44WriteSameEpochOutside) {
  on({sbegin_all(), wr(0, kX), send_all(), wr(0, kX)});
  EXPECT_EQ(count(AccessRule::WriteSameEpoch, false), 1u);
  EXPECT_EQ(tracked(), 1u);
  EXPECT_EQ(on(wr(1, kX)), (Reports{{1, 4}}));
}

TEST_F(PacerRules, Rule45WriteExclusiveSampling) {
  on({sbegin_all(), rd(0, kX)});
  order(0, 1);
  on(wr(1, kX));  // 6
  EXPECT_EQ(count(AccessRule::WriteExclusive, true), 1u);
  EXPECT_EQ(on(wr(2, kX)), (Reports{{6, 7}})) << "the read map is cleared, the write recorded";
}

TEST_F(PacerRules, Rule45WriteExclusiveOutside) {
  on({sbegin_all(), wr(0, kX), rd(0, kX), send_all()});
  order(0, 1);
  EXPECT_EQ(on(wr(1, kX)), Reports{});
  EXPECT_EQ(count(AccessRule::WriteExclusive, false), 1u);
  EXPECT_EQ(tracked(), 0u) << "reads and write are discarded";
  EXPECT_EQ(on(wr(2, kX)), Reports{}) << "the shortest race here has an unsampled first access";
}

TEST_F(PacerRules, Rule45WriteSharedSampling) {
  on({sbegin_all(), rd(0, kX), rd(1, kX)});
  order(0, 2);
  EXPECT_EQ(on(wr(2, kX)), (Reports{{2, 7}}));
  EXPECT_EQ(count(AccessRule::WriteShared, true), 1u);
  EXPECT_EQ(on(rd(3, kX)), (Reports{{7, 8}}));
}

TEST_F(PacerRules, Rule45WriteSharedOutside) {
  on({sbegin_all(), rd(0, kX), rd(1, kX), send_all()});
  order(0, 2);
  EXPECT_EQ(on(wr(2, kX)), (Reports{{2, 8}}));
  EXPECT_EQ(count(AccessRule::WriteShared, false), 1u);
  EXPECT_EQ(tracked(), 0u);
}

TEST_F(PacerRules, AnUnsampledAccessToNothingKnownIsTheFastPath) {
  on({wr(0, kX), rd(1, kX)});
  EXPECT_EQ(on.algorithm().fast_path(true), 1u);
  EXPECT_EQ(on.algorithm().fast_path(false), 1u);
  on({sbegin_all(), wr(0, kY), send_all()});
  on({wr(0, kX), rd(1, kX), rd(1, kX + 8)});
  EXPECT_EQ(on.algorithm().fast_path(true), 2u) << "another variable is tracked, not this one";
  EXPECT_EQ(on.algorithm().fast_path(false), 3u);
  EXPECT_EQ(on.algorithm().slow_path(true, true), 1u);
  EXPECT_EQ(on.algorithm().slow_path(true, false), 0u);
  on(rd(0, kY));
  EXPECT_EQ(on.algorithm().slow_path(false, false), 1u);
}

TEST_F(PacerRules, NothingIsReportedWithoutSampling) {
  EXPECT_EQ(on({wr(0, kX), wr(1, kX), rd(2, kX), wr(3, kX), awr(4, kX)}), Reports{});
  EXPECT_EQ(tracked(), 0u);
}

TEST_F(PacerRules, ARaceIsReportedWhereverItsSecondAccessIs) {
  on({sbegin_all(), wr(0, kX), wr(0, kY), send_all()});
  EXPECT_EQ(on(rd(1, kX)), (Reports{{1, 4}})) << "outside";
  on(sbegin_all());
  EXPECT_EQ(on(rd(1, kY)), (Reports{{2, 6}})) << "in a later sampling period";
}

TEST_F(PacerRules, AnUnsampledFirstAccessIsNotReported) {
  on({wr(0, kX), sbegin_all()});
  EXPECT_EQ(on(wr(1, kX)), Reports{});
  EXPECT_EQ(on(wr(2, kX)), (Reports{{2, 3}}));
}

TEST_F(PacerRules, ARaceBeforeAnySynchronisationInThePeriod) {
  // Why sampling begins with an increment: 1 has acquired 0's clock, and 0 has not moved since.
  on({acq(0, kM), rel(0, kM), acq(1, kM), rel(1, kM), sbegin_all(), wr(0, kX)});
  EXPECT_EQ(on(wr(1, kX)), (Reports{{5, 6}}));
}

TEST_F(PacerRules, Figure1) {
  on({acq(2, kM), sbegin_all(), rd(2, kX), wr(2, kY)});  // 0-3
  on({send_all(), rel(2, kM), acq(1, kM)});              // 4-6
  EXPECT_EQ(on(wr(1, kX)), Reports{});                   // 7
  EXPECT_EQ(tracked(), 1u) << "x is forgotten, y is not";
  on({sbegin_all(), send_all()});  // 8, 9
  EXPECT_EQ(on(wr(3, kX)), Reports{}) << "the shortest race on x begins with write 7";
  EXPECT_EQ(on(rd(3, kY)), (Reports{{3, 11}}));
}

TEST_F(PacerRules, Figure1WithTheOtherWriteSampled) {
  on({acq(2, kM), rd(2, kX), wr(2, kY), rel(2, kM), acq(1, kM), sbegin_all(), wr(1, kX)});
  on(send_all());
  EXPECT_EQ(on(wr(3, kX)), (Reports{{6, 8}}));
  EXPECT_EQ(on(rd(3, kY)), Reports{});
}

TEST_F(PacerRules, TrackedFallsToNothing) {
  on(sbegin_all());
  for (unsigned i = 0; i < 1'000; ++i) on({acq(0, kM), wr(0, kX + 8 * i), rel(0, kM)});
  EXPECT_EQ(tracked(), 1'000u);
  const std::size_t full = on.pool().in_use();
  on(send_all());
  for (unsigned i = 0; i < 1'000; ++i) on({acq(1, kM), wr(1, kX + 8 * i), rel(1, kM)});
  EXPECT_EQ(tracked(), 0u);
  EXPECT_LT(on.pool().in_use(), full / 20);
  EXPECT_EQ(on.races().size(), 0u);
}

TEST_F(PacerRules, APartOfAVariableIsDiscardedAlone) {
  on({sbegin_all(), wr(0, kX), send_all()});
  order(0, 1);
  on(wr(1, kX, 4));
  EXPECT_EQ(tracked(), 1u);
  EXPECT_EQ(on(wr(2, kX, 4)), Reports{});
  EXPECT_EQ(on(wr(2, kX + 4, 4)), (Reports{{1, 9}}));
  EXPECT_EQ(tracked(), 0u);
}

TEST_F(PacerRules, FreeDiscardsAndMoveKeeps) {
  on({sbegin_all(), wr(0, kX), wr(0, kX + 8), send_all()});
  on({move_of(0, kX, kY, 16), free_of(0, kX, 16)});
  EXPECT_EQ(tracked(), 2u);
  EXPECT_EQ(on(wr(1, kX)), Reports{});
  EXPECT_EQ(on(wr(1, kY)), (Reports{{1, 7}}));
  on(free_of(0, kY, 16));
  EXPECT_EQ(tracked(), 0u);
}

TEST_F(PacerRules, AtomicsOutsideSampling) {
  on({sbegin_all(), ard(0, kX), awr(0, kY), send_all()});
  on({ard(0, kX), awr(0, kY)});
  EXPECT_EQ(count(AccessRule::AtomicReadSameEpoch, false), 1u);
  EXPECT_EQ(count(AccessRule::AtomicWriteSameEpoch, false), 1u);
  on({ard(1, kX), awr(1, kY)});
  EXPECT_EQ(count(AccessRule::AtomicReadShared, false), 1u) << "concurrent: 0's stays";
  EXPECT_EQ(count(AccessRule::AtomicWriteShared, false), 1u);
  EXPECT_EQ(tracked(), 2u);
  order(0, 2);
  on({ard(2, kX), awr(2, kY)});
  EXPECT_EQ(count(AccessRule::AtomicReadExclusive, false), 1u);
  EXPECT_EQ(count(AccessRule::AtomicWriteExclusive, false), 1u);
  EXPECT_EQ(tracked(), 0u) << "ordered after all that was sampled";
}

TEST_F(PacerRules, AnUnsampledAtomicWriteDiscardsTheAtomicReadsBeforeIt) {
  on({sbegin_all(), ard(0, kX), send_all()});
  order(0, 1);
  on(awr(1, kX));
  EXPECT_EQ(tracked(), 0u);
}

TEST_F(PacerRules, AnUnsampledAtomicWriteKeepsThePlainRead) {
  on({sbegin_all(), rd(0, kX), send_all()});
  order(0, 1);
  on(awr(1, kX));  // 7
  EXPECT_EQ(on(awr(2, kX)), (Reports{{1, 8}})) << "atomic writes 7 and 8 do not race";
}

// Each thread with periods of its own.

class ThreadPeriods : public testing::Test {
 protected:
  Stepper<Pacer> on{LardRules{}, Scope::Thread};
};

TEST_F(ThreadPeriods, OnlyTheSamplingThreadsAccessesAreRecorded) {
  on({sbegin(0), wr(0, kX), wr(1, kY)});
  EXPECT_EQ(on(wr(1, kX)), (Reports{{1, 3}}));
  EXPECT_EQ(on(wr(0, kY)), Reports{}) << "write 2 was not sampled";
}

TEST_F(ThreadPeriods, AThreadThatStopsSamplingStartsANewEpoch) {
  // Without it write 7 would be in the epoch of write 1 and pass for a repetition of it, although 0
  // published that epoch, 1 received it, and read 6 came between.
  on({sbegin(0), wr(0, kX), send(0), vw(0, kV), vr(1, kV), sbegin(1), rd(1, kX)});
  EXPECT_EQ(on(wr(0, kX)), (Reports{{6, 7}}));
}

TEST_F(ThreadPeriods, TheSameEpochRulesHoldWithinAPeriodOnly) {
  on({sbegin(0), wr(0, kX), wr(0, kX)});
  EXPECT_EQ(on.algorithm().count(AccessRule::WriteSameEpoch, true), 1u);
  on({send(0), wr(0, kX)});
  EXPECT_EQ(on.algorithm().count(AccessRule::WriteSameEpoch, false), 0u);
  EXPECT_EQ(on.algorithm().tracked(), 0u) << "discarded: a later access overwrote it";
}

TEST_F(ThreadPeriods, SynchronisationOfUnsampledThreadsIsStillSeen) {
  on({sbegin(0), wr(0, kX), acq(0, kM), rel(0, kM)});
  EXPECT_EQ(on({acq(1, kM), rel(1, kM), acq(2, kM), wr(2, kX)}), Reports{});
}

TEST_F(ThreadPeriods, AGlobalPeriodSwitchesAll) {
  on({wr(0, kY), wr(1, kY), sbegin_all(), wr(0, kX)});
  EXPECT_EQ(on(wr(1, kX)), (Reports{{3, 4}}));
  on(send_all());
  EXPECT_EQ(on(wr(0, kX + 8)), Reports{});
  EXPECT_EQ(on(wr(1, kX + 8)), Reports{});
}

// Slots under PACER: reports name the right threads whatever slot they were in.

TEST(PacerSlots, MigrationLosesNoRaceAndNoName) {
  Stepper<Pacer> on(LardRules{}, Scope::Global, Clock{2});
  on({fork(9, 0), fork(9, 1), sbegin_all()});
  for (unsigned i = 0; i < 5; ++i) on({acq(0, kM), rel(0, kM)});
  on(wr(0, kX));  // 13
  for (unsigned i = 0; i < 5; ++i) on({acq(0, kM), rel(0, kM)});
  EXPECT_GE(on.fired("slot migrated"), 3u);
  EXPECT_EQ(on(wr(0, kX)), Reports{}) << "not with itself in another slot";
  on(send_all());
  EXPECT_EQ(on(wr(1, kX)), (Reports{{24, 26}}));
  EXPECT_EQ(on.races()[0].first.thread, ThreadId{0});
}

TEST(PacerSlots, MigrationKeepsTheOrder) {
  Stepper<Pacer> on(LardRules{}, Scope::Global, Clock{2});
  on({sbegin_all(), wr(0, kX)});
  for (unsigned i = 0; i < 6; ++i) on({acq(0, kM), rel(0, kM)});
  EXPECT_EQ(on({acq(1, kM), wr(1, kX)}), Reports{});
}

TEST(PacerSlots, AReusedSlotKeepsTheOldOwnersAccessesApart) {
  Stepper<Pacer> on;
  on({fork(0, 3), fork(0, 1), sbegin_all(), wr(1, kX), end(1), join(0, 1), fork(0, 2)});
  EXPECT_EQ(on.fired("slot reused"), 1u);
  on(wr(2, kY));  // 7, in the slot of 1
  EXPECT_EQ(on(rd(2, kX)), Reports{}) << "forked after the end of 1";
  EXPECT_EQ(on(rd(3, kX)), (Reports{{3, 9}}));
  EXPECT_EQ(on(rd(3, kY)), (Reports{{7, 10}}));
  EXPECT_EQ(on.races()[0].first.thread, ThreadId{1});
  EXPECT_EQ(on.races()[1].first.thread, ThreadId{2});
}

TEST(PacerSlots, ReuseOutsideSampling) {
  Stepper<Pacer> on;
  on({fork(0, 3), fork(0, 1), sbegin_all(), wr(1, kX), send_all(), join(0, 1)});
  for (unsigned u = 10; u < 60; ++u) on({fork(0, u), wr(u, kY), join(0, u)});
  EXPECT_EQ(on.algorithm().order().slots(), 3u);
  EXPECT_EQ(on(rd(3, kX)).size(), 1u);
  EXPECT_EQ(on.races()[0].first.thread, ThreadId{1});
}

}  // namespace
}  // namespace steward::test
