// PACER's synchronisation by hand: every rule of Tables 5, 6 and 7, in sampling periods and
// outside.
#include "unit/core/pacer_order.h"

#include <gtest/gtest.h>

#include "analyze/random.h"

namespace steward::pacer {
namespace {

INSTANTIATE_TEST_SUITE_P(Rules, PacerOrder, testing::Bool(),
                         [](const auto& i) { return i.param ? "sampling" : "outside"; });
INSTANTIATE_TEST_SUITE_P(Rules, PacerPeriods, testing::Values(false));

TEST_P(PacerPeriods, Rule51AdvancesEveryThread) {
  start(2);
  order->sample_all(true);
  EXPECT_EQ(fired(), (Rules{OrderRule::Increment, OrderRule::Increment, OrderRule::SampleBegin,
                            OrderRule::SampleBegin}));
  EXPECT_EQ(clock(0), (Clocks{2}));
  EXPECT_EQ(clock(1), (Clocks{0, 2}));
  EXPECT_EQ(version(0, 0), 2u);
  EXPECT_TRUE(thread(0).sampling);
  order->sample_all(true);
  EXPECT_EQ(fired(), Rules{}) << "it has begun";
}

TEST_P(PacerPeriods, Rule52ChangesNoClock) {
  start(2);
  order->sample_all(true);
  fired();
  order->sample_all(false);
  EXPECT_EQ(fired(), (Rules{OrderRule::SampleEnd, OrderRule::SampleEnd}));
  EXPECT_EQ(clock(0), (Clocks{2}));
  EXPECT_EQ(version(0, 0), 2u);
  EXPECT_FALSE(thread(0).sampling);
}

TEST_P(PacerPeriods, AThreadsOwnPeriodAdvancesItAtBothEnds) {
  start(2, Scope::Thread);
  order->sample(ThreadId{0}, true);
  EXPECT_EQ(fired(), (Rules{OrderRule::Increment, OrderRule::SampleBegin}));
  order->sample(ThreadId{0}, false);
  EXPECT_EQ(fired(), (Rules{OrderRule::Increment, OrderRule::SampleEnd}));
  EXPECT_EQ(clock(0), (Clocks{3}));
  EXPECT_EQ(clock(1), (Clocks{0, 1}));
}

TEST_P(PacerPeriods, AThreadToComeIsSampledInAGlobalPeriod) {
  start(1);
  order->sample_all(true);
  fork(0, 1);
  EXPECT_TRUE(thread(1).sampling);
  EXPECT_TRUE(thread(7).sampling) << "one that nobody forked, too";
  order->sample_all(false);
  EXPECT_FALSE(thread(1).sampling);
  fork(0, 2);
  EXPECT_FALSE(thread(2).sampling);
}

TEST_P(PacerPeriods, NoClockAdvancesOutsideAPeriod) {
  start(6);
  analyze::Random random(1);
  std::vector<Epoch> before;
  for (unsigned t = 0; t < 6; ++t) before.push_back(thread(t).epoch());
  for (int i = 0; i < 5'000; ++i) {
    const auto t = static_cast<unsigned>(random.below(6));
    const auto o = static_cast<unsigned>(random.below(5));
    switch (random.below(4)) {
      case 0:
        release(t, lock(o));
        break;
      case 1:
        acquire(t, lock(o));
        break;
      case 2:
        merge(t, vol(o));
        break;
      default:
        acquire(t, vol(o));
    }
  }
  for (unsigned t = 0; t < 6; ++t) EXPECT_EQ(thread(t).epoch(), before[t]);
  // So clocks have come to the same value, and every join is redundant.
  for (unsigned t = 0; t < 6; ++t) EXPECT_EQ(clock(t), (Clocks{1, 1, 1, 1, 1, 1}));
}

// Table 7.

TEST_P(PacerOrder, Rule71CopiesDeepOrShallow) {
  start(2);
  EXPECT_EQ(release(0, lock(1)), copied());
  EXPECT_EQ(thread(0).clock.is_shared(), !sampling());
  EXPECT_EQ(order->count(OrderRule::CopyDeep, false), 0u);
  EXPECT_EQ(order->count(OrderRule::CopyShallow, true), 0u);
}

TEST_P(PacerOrder, Rules72And73Increment) {
  start(1);
  const Clock before = own(0);
  const Version version_before = version(0, 0);
  release(0, lock(1));
  EXPECT_EQ(own(0), before + (sampling() ? 1 : 0));
  EXPECT_EQ(clock(0), (Clocks{own(0)}));
  EXPECT_EQ(version(0, 0), version_before + (sampling() ? 1 : 0));
}

TEST_P(PacerOrder, Rule74SameVersionEpoch) {
  start(2);
  EXPECT_EQ(acquire(0, lock(1)), (Rules{OrderRule::JoinSameVersionEpoch}))
      << "nobody released it: the minimal version epoch";
  release(0, lock(1));
  acquire(1, lock(1));
  const Clocks before = clock(1);
  EXPECT_EQ(acquire(1, lock(1)), (Rules{OrderRule::JoinSameVersionEpoch}));
  EXPECT_EQ(clock(1), before);
  // A version older than the one received is known as well.
  start(2);
  release(0, lock(1));
  release(0, lock(2));
  acquire(1, lock(2));
  EXPECT_EQ(acquire(1, lock(1)), (Rules{OrderRule::JoinSameVersionEpoch}));
}

TEST_P(PacerOrder, Rule74AThreadKnowsItsOwnVersions) {
  start(1);
  release(0, lock(1));
  EXPECT_EQ(acquire(0, lock(1)), (Rules{OrderRule::JoinSameVersionEpoch}));
}

TEST_P(PacerOrder, Rule75HappensBefore) {
  start(3);
  release(0, lock(1));  // 1 gets this clock from 2, without 0's version
  acquire(2, lock(1));
  release(2, lock(2));
  acquire(1, lock(2));
  EXPECT_EQ(version(1, 0), 0u);
  const Clocks before = clock(1);
  const Version own_version = version(1, 1);
  EXPECT_EQ(acquire(1, lock(1)), (Rules{OrderRule::JoinHappensBefore}));
  EXPECT_EQ(clock(1), before);
  EXPECT_EQ(version(1, 1), own_version) << "the clock has not changed";
  EXPECT_EQ(version(1, 0), sampling() ? 2u : 1u) << "0's version is known from now on";
  EXPECT_EQ(acquire(1, lock(1)), (Rules{OrderRule::JoinSameVersionEpoch}));
}

TEST_P(PacerOrder, Rule76Concurrent) {
  start(2);
  const Clock published = own(0);
  const Version published_version = version(0, 0);
  const Version before = version(1, 1);
  release(0, lock(1));
  EXPECT_EQ(acquire(1, lock(1)), (Rules{OrderRule::JoinConcurrent}));
  EXPECT_EQ(clock(1), (Clocks{published, own(1)}));
  EXPECT_EQ(version(1, 1), before + 1) << "a new clock value has a new version";
  EXPECT_EQ(version(1, 0), published_version);
}

TEST_P(PacerOrder, Rule77VolatileWriteSameVersionEpoch) {
  start(2);
  EXPECT_EQ(merge(0, vol(1)), copied(OrderRule::VolatileSameVersionEpoch))
      << "never written: the minimal version epoch";
  EXPECT_EQ(merge(0, vol(1)), copied(OrderRule::VolatileSameVersionEpoch)) << "its own version";
  acquire(1, vol(1));
  EXPECT_EQ(merge(1, vol(1)), copied(OrderRule::VolatileSameVersionEpoch));
  // The copy is the writer's clock, which holds both.
  acquire(0, vol(1));
  EXPECT_GE(clock(0).size(), 2u);
}

TEST_P(PacerOrder, Rule78VolatileWriteHappensBefore) {
  start(3);
  merge(0, vol(1));  // 1 gets this clock from 2, without 0's version
  acquire(2, vol(1));
  release(2, lock(1));
  acquire(1, lock(1));
  EXPECT_EQ(version(1, 0), 0u);
  EXPECT_EQ(merge(1, vol(1)), copied(OrderRule::VolatileHappensBefore));
  EXPECT_EQ(merge(1, vol(1)), copied(OrderRule::VolatileSameVersionEpoch))
      << "the volatile's version is 1's now";
}

TEST_P(PacerOrder, Rule79VolatileWriteConcurrent) {
  start(3);
  merge(0, vol(1));
  EXPECT_EQ(merge(1, vol(1)),
            (Rules{sampling() ? OrderRule::Increment : OrderRule::IncrementTimeless,
                   OrderRule::VolatileConcurrent}));
  EXPECT_FALSE(thread(1).clock.is_shared()) << "the volatile's clock is no thread's";
  const Clock first = sampling() ? 2 : 1;
  EXPECT_EQ(acquire(2, vol(1)), (Rules{OrderRule::JoinConcurrent}));
  EXPECT_EQ(clock(2), (Clocks{first, first, first})) << "merged: both writers";
}

TEST_P(PacerOrder, TheTopVersionEpochIsNeverKnown) {
  start(3);
  merge(0, vol(1));
  merge(1, vol(1));  // top
  acquire(2, vol(1));
  EXPECT_EQ(version(2, 0), 0u) << "top names no version to remember";
  EXPECT_EQ(version(2, 1), 0u);
  EXPECT_EQ(acquire(2, vol(1)), (Rules{OrderRule::JoinHappensBefore}))
      << "nothing new, but only the clocks tell";
  EXPECT_EQ(acquire(2, vol(1)), (Rules{OrderRule::JoinHappensBefore}));
  // A writer that has seen all gives the volatile a version again.
  EXPECT_EQ(merge(2, vol(1)), copied(OrderRule::VolatileHappensBefore));
  EXPECT_EQ(acquire(2, vol(1)), (Rules{OrderRule::JoinSameVersionEpoch}));
}

TEST_P(PacerOrder, MergingIntoASharedClockLeavesTheOthersAlone) {
  start(3);
  merge(0, vol(1));  // outside sampling: x and 0 share a clock
  const Clocks zero = clock(0);
  merge(1, vol(1));
  EXPECT_EQ(clock(0), zero);
  EXPECT_FALSE(thread(0).clock.is_shared());
}

TEST_P(PacerOrder, AVolatileStoreReplaces) {
  start(3);
  merge(0, vol(1));
  EXPECT_EQ(release(1, vol(1)), copied());
  acquire(2, vol(1));
  EXPECT_EQ(clock(2)[0], 0u);
}

// Table 6.

TEST_P(PacerOrder, Rules61And65Join) {
  start(2);
  release(0, lock(1));
  merge(0, vol(1));
  EXPECT_EQ(acquire(1, lock(1)), (Rules{OrderRule::JoinConcurrent}));
  EXPECT_EQ(acquire(1, vol(1)),
            (Rules{sampling() ? OrderRule::JoinConcurrent : OrderRule::JoinSameVersionEpoch}))
      << "time stood still between the two only outside sampling";
}

TEST_P(PacerOrder, Rule62CopiesBeforeItIncrements) {
  start(2);
  const Clock at_release = own(0);
  release(0, lock(1));
  acquire(1, lock(1));
  EXPECT_EQ(clock(1)[0], at_release);
  EXPECT_EQ(thread(1).covers(thread(0).epoch()), !sampling());
}

TEST_P(PacerOrder, Rule63ForkJoinsTheChildThenIncrements) {
  start(1);
  const Clock at_fork = own(0);
  EXPECT_EQ(fork(0, 1), (Rules{sampling() ? OrderRule::Increment : OrderRule::IncrementTimeless,
                               OrderRule::JoinConcurrent}));
  EXPECT_EQ(clock(1), (Clocks{at_fork, 1}));
  EXPECT_EQ(own(0), at_fork + (sampling() ? 1 : 0));
  EXPECT_EQ(version(1, 0), at_fork);
}

TEST_P(PacerOrder, Rule64JoinTakesTheChildsClock) {
  start(1);
  fork(0, 1);
  release(1, lock(1));
  const Clock last = own(1);
  EXPECT_EQ(join(0, 1), (Rules{OrderRule::JoinConcurrent}));
  EXPECT_EQ(clock(0)[1], last);
  // The child's increment is the next owner's first clock.
  fork(0, 2);
  EXPECT_EQ(thread(2).epoch(), (Epoch{Slot{1}, last + 1}));
}

TEST_P(PacerOrder, JoiningNobodyOrOneselfChangesNothing) {
  start(1);
  EXPECT_EQ(join(0, 5), Rules{});
  EXPECT_EQ(join(0, 0), Rules{});
}

TEST_P(PacerOrder, Rule66MergesBeforeItIncrements) {
  start(2);
  const Clock at_write = own(0);
  merge(0, vol(1));
  acquire(1, vol(1));
  EXPECT_EQ(clock(1)[0], at_write);
}

}  // namespace
}  // namespace steward::pacer
