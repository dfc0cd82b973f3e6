// PACER's shared clocks (paper, section 3.2 and Figure 2), and its slots.
#include <gtest/gtest.h>

#include "unit/core/pacer_order.h"

namespace steward::pacer {
namespace {

class PacerSlotsInOrder : public PacerOrder {};
class PacerSharing : public PacerPeriods {};
INSTANTIATE_TEST_SUITE_P(Periods, PacerSlotsInOrder, testing::Bool(),
                         [](const auto& i) { return i.param ? "sampling" : "outside"; });
INSTANTIATE_TEST_SUITE_P(Once, PacerSharing, testing::Values(false));

// Figure 2: outside sampling, one join; the rest is known or shared.
TEST_P(PacerSharing, Figure2) {
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

TEST_P(PacerSharing, ASharedClockIsClonedBeforeItIsWritten) {
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

TEST_P(PacerSlotsInOrder, ASlotIsReusedAfterAJoinAndVersionsGoOn) {
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

TEST_P(PacerSlotsInOrder, ASlotIsNotReusedBeforeItsEndIsSeen) {
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

TEST_P(PacerSlotsInOrder, ASlotIsNotReusedByOneWhoLacksAPartOfItsLastClock) {
  // Stricter than for GENERIC: the newcomer takes over the slot's versions, so it must hold
  // everything that the last owner's final clock held, not its last epoch alone.
  start(3);
  fork(0, 3);
  release(3, lock(9));
  acquire(2, lock(9));
  EXPECT_EQ(thread(2).covers(thread(3).epoch()), !sampling()) << "outside, time stands still";
  release(1, lock(1));
  acquire(3, lock(1));  // 3 learns of 1, which 2 has not heard of
  order->end(ThreadId{3});
  fork(2, 4);
  EXPECT_EQ(thread(4).epoch().slot(), Slot{4});
  join(0, 3);
  fork(0, 5);
  EXPECT_EQ(thread(5).epoch().slot(), Slot{3});
  EXPECT_TRUE(thread(5).clock->covers(Epoch{Slot{1}, 1}));
}

TEST_P(PacerSharing, AThreadOutOfClockValuesTakesAnotherSlot) {
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

TEST_P(PacerSharing, OutsideSamplingNoThreadRunsOutOfClockValues) {
  start(1, Scope::Global, 2);
  for (int i = 0; i < 100; ++i) release(0, lock(1));
  EXPECT_EQ(thread(0).epoch(), (Epoch{Slot{0}, 1}));
  EXPECT_EQ(order->slots(), 1u);
}

TEST_P(PacerSharing, ManyShortThreadsNeedFewSlots) {
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
