// PACER's synchronisation by hand: every rule of Tables 5, 6 and 7, in sampling periods and outside;
// shared clocks; Figure 2; slots.
#include "core/pacer/order.h"

#include <gtest/gtest.h>

#include <optional>

#include "analyze/heap_pages.h"
#include "analyze/random.h"

namespace steward::pacer {

inline void PrintTo(OrderRule r, std::ostream* out) { *out << name(r); }

namespace {

using Clocks = std::vector<Clock>;
using Rules = std::vector<OrderRule>;

class PacerOrder : public testing::TestWithParam<bool> {
 protected:
  // Threads 0..n-1, in slots of the same numbers; sampling as the test's parameter says.
  void start(unsigned threads, Scope scope = Scope::Global, Clock limit = kMaxClock) {
    order.emplace(pool, scope, limit);
    seen_ = {};
    for (unsigned t = 0; t < threads; ++t) order->thread(ThreadId{t});
    if (sampling()) order->sample_all(true);
    fired();
  }
  bool sampling() const { return GetParam(); }
  void TearDown() override {
    order.reset();
    EXPECT_EQ(pool.in_use(), 0u);
  }

  // The rules fired since the last call, in the table's order.
  Rules fired() {
    Rules rules;
    for (unsigned r = 0; r < kOrderRules; ++r) {
      const auto rule = static_cast<OrderRule>(r);
      for (const bool s : {false, true}) {
        std::uint64_t& seen = seen_[2 * r + (s ? 1 : 0)];
        if (one_column_) {
          EXPECT_TRUE(seen == order->count(rule, s) || s == sampling()) << "in the other column";
        }
        for (; seen < order->count(rule, s); ++seen) rules.push_back(rule);
      }
    }
    return rules;
  }
  Rules acquire(unsigned t, SyncKey o) {
    order->acquire(ThreadId{t}, o);
    return fired();
  }
  Rules release(unsigned t, SyncKey o) {
    order->release(ThreadId{t}, o);
    return fired();
  }
  Rules merge(unsigned t, SyncKey o) {
    order->release_merge(ThreadId{t}, o);
    return fired();
  }
  Rules fork(unsigned t, unsigned u) {
    order->fork(ThreadId{t}, ThreadId{u});
    return fired();
  }
  Rules join(unsigned t, unsigned u) {
    order->join(ThreadId{t}, ThreadId{u});
    return fired();
  }
  Order::Thread& thread(unsigned t) { return order->thread(ThreadId{t}); }
  Clocks clock(unsigned t) { return {thread(t).clock->begin(), thread(t).clock->end()}; }
  Version version(unsigned t, unsigned of) { return thread(t).versions[Slot{of}]; }
  Clock own(unsigned t) { return thread(t).epoch().clock(); }

  // What follows a copy: the release's increment.
  Rules copied(Rules before = {}) const {
    Rules r = {sampling() ? OrderRule::CopyDeep : OrderRule::CopyShallow,
               sampling() ? OrderRule::Increment : OrderRule::IncrementTimeless};
    r.insert(r.end(), before.begin(), before.end());
    return r;
  }

  static SyncKey lock(unsigned i) { return SyncKey::of(SyncId{i}, SyncMode::Exclusive); }
  static SyncKey vol(unsigned i) { return SyncKey::of(SyncId{100 + i}, SyncMode::Volatile); }

  analyze::HeapPages pages;
  Pool pool{pages};
  std::optional<Order> order;
  bool one_column_ = true;  // the whole test is in a sampling period, or outside

 private:
  std::array<std::uint64_t, 2 * kOrderRules> seen_{};
};

INSTANTIATE_TEST_SUITE_P(Periods, PacerOrder, testing::Bool(),
                         [](const auto& i) { return i.param ? "sampling" : "outside"; });

// Table 5 begins and ends periods itself, so it is told apart from the parameter.
class PacerPeriods : public PacerOrder {
 protected:
  PacerPeriods() { one_column_ = false; }
};
INSTANTIATE_TEST_SUITE_P(Once, PacerPeriods, testing::Values(false));

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
      case 0: release(t, lock(o)); break;
      case 1: acquire(t, lock(o)); break;
      case 2: merge(t, vol(o)); break;
      default: acquire(t, vol(o));
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
  EXPECT_EQ(merge(0, vol(1)), copied({OrderRule::VolatileSameVersionEpoch}))
      << "never written: the minimal version epoch";
  EXPECT_EQ(merge(0, vol(1)), copied({OrderRule::VolatileSameVersionEpoch})) << "its own version";
  acquire(1, vol(1));
  EXPECT_EQ(merge(1, vol(1)), copied({OrderRule::VolatileSameVersionEpoch}));
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
  EXPECT_EQ(merge(1, vol(1)), copied({OrderRule::VolatileHappensBefore}));
  EXPECT_EQ(merge(1, vol(1)), copied({OrderRule::VolatileSameVersionEpoch}))
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
  EXPECT_EQ(merge(2, vol(1)), copied({OrderRule::VolatileHappensBefore}));
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

// Figure 2: outside sampling, one join; the rest is known or shared.
TEST_P(PacerPeriods, Figure2) {
  start(3);
  const SyncKey m = lock(1), l = lock(2);
  EXPECT_EQ(release(2, m), copied());
  const std::size_t held = pool.in_use();
  EXPECT_EQ(release(2, m), copied());
  EXPECT_EQ(pool.in_use(), held) << "m, l and the thread share one clock";
  EXPECT_EQ(release(2, l), copied());
  EXPECT_TRUE(thread(2).clock.is_shared());
  EXPECT_EQ(acquire(1, m), (Rules{OrderRule::JoinConcurrent}));
  EXPECT_EQ(acquire(1, l), (Rules{OrderRule::JoinSameVersionEpoch}));
  EXPECT_FALSE(thread(1).clock.is_shared());
  const std::size_t before = pool.in_use();
  EXPECT_EQ(release(1, l), copied());
  EXPECT_EQ(release(1, m), copied());
  EXPECT_TRUE(thread(1).clock.is_shared());
  EXPECT_FALSE(thread(2).clock.is_shared()) << "m and l now share with thread 1";
  EXPECT_EQ(pool.in_use(), before);
}

TEST_P(PacerPeriods, ASharedClockIsClonedBeforeItIsWritten) {
  start(3);
  release(0, lock(1));
  order->sample_all(true);  // advances 0, whose clock lock 1 shares
  EXPECT_FALSE(thread(0).clock.is_shared());
  acquire(1, lock(1));
  EXPECT_EQ(clock(1)[0], 1u) << "the lock keeps what was released";
  order->sample_all(false);
  release(0, lock(2));
  release(1, lock(3));
  acquire(0, lock(3));  // a join into a shared clock
  acquire(2, lock(2));
  EXPECT_EQ(clock(2)[1], 0u) << "lock 2 does not see what 0 learnt later";
}

TEST(SharedClocks, CopiesShareUntilOneIsWritten) {
  analyze::HeapPages pages;
  Pool pool(pages);
  {
    SharedClock a = SharedClock::make(pool);
    a.own().set(Slot{0}, 1);
    SharedClock b = a;
    EXPECT_TRUE(a.is_shared());
    EXPECT_EQ(&*a, &*b);
    b.own().set(Slot{0}, 2);
    EXPECT_NE(&*a, &*b);
    EXPECT_EQ((*a)[Slot{0}], 1u);
    EXPECT_FALSE(a.is_shared()) << "the last holder may write in place";
    SharedClock empty;
    EXPECT_FALSE(empty);
    empty.deep_copy(pool, a);
    EXPECT_EQ((*empty)[Slot{0}], 1u);
    EXPECT_FALSE(a.is_shared());
    SharedClock c = b;
    b.deep_copy(pool, a);
    EXPECT_EQ((*c)[Slot{0}], 2u) << "a deep copy into a shared clock leaves the sharer's";
    a = SharedClock();
  }
  EXPECT_EQ(pool.in_use(), 0u);
}

// Slots.

TEST_P(PacerOrder, ASlotIsReusedAfterAJoinAndVersionsGoOn) {
  start(2);
  fork(0, 2);
  release(2, lock(1));
  acquire(1, lock(1));  // 1 knows the old owner's version
  const Version old = version(1, 2);
  EXPECT_GT(old, 0u);
  join(0, 2);
  const Rules rules = fork(0, 3);
  EXPECT_EQ(std::count(rules.begin(), rules.end(), OrderRule::SlotReused), 1);
  EXPECT_EQ(thread(3).epoch().slot(), Slot{2});
  EXPECT_GT(version(3, 2), old);
  release(3, lock(2));
  const Epoch at = thread(3).epoch();
  EXPECT_EQ(acquire(1, lock(2)), (Rules{OrderRule::JoinConcurrent}))
      << "the new owner's version must not pass for the old one's";
  EXPECT_EQ(thread(1).covers(at), !sampling());
  EXPECT_EQ(order->owner(at), ThreadId{3});
  EXPECT_EQ(order->owner(Epoch{Slot{2}, 1}), ThreadId{2});
}

TEST_P(PacerOrder, ASlotIsNotReusedBeforeItsEndIsSeen) {
  start(2);
  fork(0, 2);
  order->end(ThreadId{2});
  fork(0, 3);
  EXPECT_EQ(thread(3).epoch().slot(), Slot{3});
  fork(1, 4);
  EXPECT_EQ(thread(4).epoch().slot(), Slot{4});
  join(0, 2);
  fork(1, 5);
  EXPECT_EQ(thread(5).epoch().slot(), Slot{5}) << "1 has not seen the end of 2";
  fork(0, 6);
  EXPECT_EQ(thread(6).epoch().slot(), Slot{2});
}

TEST_P(PacerOrder, ASlotIsNotReusedByOneWhoLacksAPartOfItsLastClock) {
  // Stricter than for GENERIC: the newcomer takes over the slot's versions, so it must hold
  // everything that the last owner's final clock held.
  start(3);
  fork(0, 3);
  release(1, lock(1));
  acquire(3, lock(1));
  order->end(ThreadId{3});
  join(0, 3);
  fork(2, 4);
  EXPECT_EQ(thread(4).epoch().slot(), Slot{4});
  fork(0, 5);
  EXPECT_EQ(thread(5).epoch().slot(), Slot{3});
  EXPECT_TRUE(thread(5).clock->covers(Epoch{Slot{1}, 1}));
}

TEST_P(PacerPeriods, AThreadOutOfClockValuesTakesAnotherSlot) {
  start(2, Scope::Global, 3);
  order->sample_all(true);
  release(0, lock(1));
  EXPECT_EQ(thread(0).epoch(), (Epoch{Slot{0}, 3}));
  const Rules rules = release(0, lock(1));
  EXPECT_EQ(std::count(rules.begin(), rules.end(), OrderRule::SlotMigrated), 1);
  EXPECT_EQ(thread(0).epoch(), (Epoch{Slot{2}, 1}));
  EXPECT_TRUE(thread(0).covers(Epoch{Slot{0}, 3}));
  EXPECT_TRUE(thread(0).sampling);
  acquire(1, lock(1));
  EXPECT_TRUE(thread(1).covers(Epoch{Slot{0}, 3}));
  EXPECT_FALSE(thread(1).covers(thread(0).epoch()));
  EXPECT_EQ(order->owner(Epoch{Slot{0}, 3}), ThreadId{0});
  EXPECT_EQ(order->owner(thread(0).epoch()), ThreadId{0});
  // Versions of the new slot are unknown to 1; the next release is not taken for an old one.
  release(0, lock(2));
  EXPECT_EQ(acquire(1, lock(2)), (Rules{OrderRule::JoinConcurrent}));
}

TEST_P(PacerPeriods, OutsideSamplingNoThreadRunsOutOfClockValues) {
  start(1, Scope::Global, 2);
  for (int i = 0; i < 100; ++i) release(0, lock(1));
  EXPECT_EQ(thread(0).epoch(), (Epoch{Slot{0}, 1}));
  EXPECT_EQ(order->slots(), 1u);
}

TEST_P(PacerPeriods, ManyShortThreadsNeedFewSlots) {
  start(1);
  for (unsigned u = 1; u <= 500; ++u) {
    if (u % 7 == 0) order->sample_all(u % 2 == 0);
    fork(0, u);
    release(u, lock(u % 3));
    join(0, u);
  }
  EXPECT_EQ(order->slots(), 2u);
}

}  // namespace
}  // namespace steward::pacer
