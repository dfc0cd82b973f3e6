// GENERIC's synchronisation by hand: Algorithms 1-4, 14 and 15, slots, and readers-writer locks.
#include "core/generic/happens_before.h"

#include <gtest/gtest.h>

#include "core/fasttrack/fasttrack.h"
#include "core/generic/generic.h"
#include "core/pacer/pacer.h"

#include "unit/core/stepper.h"

namespace steward::test {
namespace {

using Clocks = std::vector<Clock>;

class VectorClockOrder : public testing::Test {
 protected:
  // Threads get slots in the order they appear in: t's is t here.
  void start(unsigned threads) {
    for (unsigned t = 0; t < threads; ++t) hb.thread(ThreadId{t});
  }
  Clocks clock(unsigned t) {
    const auto& c = hb.thread(ThreadId{t}).clock;
    return {c.begin(), c.end()};
  }
  std::uint64_t fired(SyncRule rule) {
    std::uint64_t times = 0;
    hb.for_each_stat([&](const Stat& s) {
      if (std::string_view(s.name) == name(rule)) times = s.outside;
    });
    return times;
  }
  void acquire(unsigned t, SyncKey o) { hb.acquire(ThreadId{t}, o); }
  void release(unsigned t, SyncKey o) { hb.release(ThreadId{t}, o); }
  void merge(unsigned t, SyncKey o) { hb.release_merge(ThreadId{t}, o); }
  void fork(unsigned t, unsigned u) { hb.fork(ThreadId{t}, ThreadId{u}); }
  void join(unsigned t, unsigned u) { hb.join(ThreadId{t}, ThreadId{u}); }

  const SyncKey m = SyncKey::of(SyncId{1}, SyncMode::Exclusive);
  const SyncKey l = SyncKey::of(SyncId{2}, SyncMode::Exclusive);
  const SyncKey x = SyncKey::of(SyncId{3}, SyncMode::Volatile);

  analyze::HeapPages pages;
  Pool pool{pages};
  HappensBefore hb{pool};
};

TEST_F(VectorClockOrder, ThreadsStartAtOne) {
  start(3);
  EXPECT_EQ(clock(0), (Clocks{1}));
  EXPECT_EQ(clock(2), (Clocks{0, 0, 1}));
  EXPECT_EQ(hb.thread(ThreadId{2}).epoch(), (Epoch{Slot{2}, 1}));
}

TEST_F(VectorClockOrder, Algorithm1AcquireJoinsTheLocksClock) {
  start(2);
  release(0, m);
  release(0, l);
  acquire(1, l);
  EXPECT_EQ(clock(1), (Clocks{2, 1})) << "the clock at the release, before the increment";
  acquire(1, m);
  EXPECT_EQ(clock(1), (Clocks{2, 1})) << "an older clock takes nothing away";
  EXPECT_EQ(fired(SyncRule::Acquire), 2u);
}

TEST_F(VectorClockOrder, AcquiringWhatNobodyReleasedChangesNothing) {
  start(1);
  acquire(0, m);
  acquire(0, x);
  EXPECT_EQ(clock(0), (Clocks{1}));
}

TEST_F(VectorClockOrder, Algorithm2ReleaseCopiesThenAdvances) {
  start(3);
  release(0, m);
  EXPECT_EQ(clock(0), (Clocks{2}));
  EXPECT_EQ(hb.thread(ThreadId{0}).epoch(), (Epoch{Slot{0}, 2}));
  release(1, m);  // replaces: what thread 0 published is gone
  acquire(2, m);
  EXPECT_EQ(clock(2), (Clocks{0, 1, 1}));
  EXPECT_EQ(fired(SyncRule::Release), 2u);
}

TEST_F(VectorClockOrder, Algorithm3ForkHandsTheParentsClockOn) {
  start(1);
  release(0, m);
  fork(0, 1);
  EXPECT_EQ(clock(1), (Clocks{2, 1}));
  EXPECT_EQ(clock(0), (Clocks{3})) << "what the parent does next is not ordered before the child";
  EXPECT_FALSE(hb.thread(ThreadId{1}).covers(hb.thread(ThreadId{0}).epoch()));
  EXPECT_EQ(fired(SyncRule::Fork), 1u);
}

TEST_F(VectorClockOrder, Algorithm4JoinTakesTheChildsClock) {
  start(1);
  fork(0, 1);
  release(1, m);
  release(1, m);
  join(0, 1);
  EXPECT_EQ(clock(0), (Clocks{2, 3}));
  EXPECT_EQ(fired(SyncRule::Join), 1u);
  // The child's increment is its slot's next owner's first clock.
  fork(0, 2);
  EXPECT_EQ(hb.thread(ThreadId{2}).epoch(), (Epoch{Slot{1}, 4}));
}

TEST_F(VectorClockOrder, JoiningNobodyOrOneselfChangesNothing) {
  start(1);
  join(0, 7);
  join(0, 0);
  EXPECT_EQ(clock(0), (Clocks{1}));
}

TEST_F(VectorClockOrder, Algorithm14VolatileReadJoins) {
  start(2);
  merge(0, x);
  acquire(1, x);
  EXPECT_EQ(clock(1), (Clocks{1, 1}));
  EXPECT_EQ(fired(SyncRule::VolatileRead), 1u);
}

TEST_F(VectorClockOrder, Algorithm15VolatileWriteMergesThenAdvances) {
  start(3);
  merge(0, x);
  merge(1, x);
  EXPECT_EQ(clock(1), (Clocks{0, 2}));
  acquire(2, x);
  EXPECT_EQ(clock(2), (Clocks{1, 1, 1})) << "both writers are before the reader";
  EXPECT_EQ(fired(SyncRule::VolatileWrite), 2u);
}

TEST_F(VectorClockOrder, AVolatileStoreReplaces) {
  start(3);
  merge(0, x);
  release(1, x);
  acquire(2, x);
  EXPECT_EQ(clock(2), (Clocks{0, 1, 1}));
  EXPECT_EQ(fired(SyncRule::VolatileWrite), 2u);
}

TEST_F(VectorClockOrder, ASlotIsReusedOnlyWhenItsOwnerIsOrderedBefore) {
  start(1);
  fork(0, 1);
  hb.end(ThreadId{1});
  fork(0, 2);
  EXPECT_EQ(hb.thread(ThreadId{2}).epoch().slot(), Slot{2}) << "0 has not seen the end of 1";
  EXPECT_EQ(fired(SyncRule::SlotReused), 0u);
  join(0, 1);
  fork(0, 3);
  EXPECT_EQ(hb.thread(ThreadId{3}).epoch(), (Epoch{Slot{1}, 2}));
  EXPECT_EQ(fired(SyncRule::SlotReused), 1u);
  EXPECT_EQ(hb.slots(), 3u);
  EXPECT_EQ(hb.owner(Epoch{Slot{1}, 1}), ThreadId{1});
  EXPECT_EQ(hb.owner(Epoch{Slot{1}, 2}), ThreadId{3});
  // 2 saw neither end of 1 nor start of 3.
  EXPECT_FALSE(hb.thread(ThreadId{2}).covers(Epoch{Slot{1}, 1}));
}

TEST_F(VectorClockOrder, AThreadThatSawOnlyTheOldOwnerHasNotSeenTheNew) {
  start(1);
  fork(0, 1);
  join(0, 1);
  fork(0, 2);  // in slot 1
  fork(0, 3);  // saw 1, not 2
  EXPECT_TRUE(hb.thread(ThreadId{3}).covers(Epoch{Slot{1}, 1}));
  EXPECT_FALSE(hb.thread(ThreadId{3}).covers(hb.thread(ThreadId{2}).epoch()));
}

TEST_F(VectorClockOrder, ManyShortThreadsNeedFewSlots) {
  start(1);
  for (unsigned u = 1; u <= 1'000; ++u) {
    fork(0, u);
    release(u, m);
    join(0, u);
  }
  EXPECT_EQ(hb.slots(), 2u);
  EXPECT_EQ(hb.owner(Epoch{Slot{1}, 1}), ThreadId{1});
  EXPECT_EQ(hb.owner(Epoch{Slot{1}, 1'999}), ThreadId{1'000});
}

TEST_F(VectorClockOrder, AThreadOutOfClockValuesTakesAnotherSlot) {
  HappensBefore few(pool, 3);
  auto& t = few.thread(ThreadId{0});
  for (int i = 0; i < 2; ++i) few.release(ThreadId{0}, m);
  EXPECT_EQ(t.epoch(), (Epoch{Slot{0}, 3}));
  few.release(ThreadId{0}, m);
  EXPECT_EQ(t.epoch(), (Epoch{Slot{1}, 1}));
  EXPECT_TRUE(t.covers(Epoch{Slot{0}, 3})) << "its own past";
  EXPECT_EQ(few.owner(Epoch{Slot{0}, 3}), ThreadId{0});
  EXPECT_EQ(few.owner(t.epoch()), ThreadId{0});
  few.acquire(ThreadId{1}, m);
  EXPECT_TRUE(few.thread(ThreadId{1}).covers(Epoch{Slot{0}, 3}));
  EXPECT_FALSE(few.thread(ThreadId{1}).covers(t.epoch()));
}

TEST_F(VectorClockOrder, AThreadThatActsAfterItsEndKeepsItsPast) {
  // Only in traces analysed leniently.
  start(1);
  fork(0, 1);
  const Epoch before = hb.thread(ThreadId{1}).epoch();
  hb.end(ThreadId{1});
  hb.end(ThreadId{1});
  EXPECT_TRUE(hb.thread(ThreadId{1}).covers(before));
  EXPECT_NE(hb.thread(ThreadId{1}).epoch(), before);
}

// Readers-writer locks are the analysis's business: one clock for writers, one for readers.
template <class Algorithm>
class RwLock : public testing::Test {
 public:
  Stepper<Algorithm> on;
};
using Detectors = testing::Types<Generic, FastTrack, Pacer>;
TYPED_TEST_SUITE(RwLock, Detectors);

TYPED_TEST(RwLock, ReadersAreNotOrderedByTheLock) {
  auto& detector = this->on;
  detector(sbegin_all());
  EXPECT_EQ(detector({racq(1, 5), wr(1, 0x10), rrel(1, 5)}), Reports{});
  EXPECT_EQ(detector({racq(2, 5), wr(2, 0x10)}), (Reports{{2, 5}}));
}

TYPED_TEST(RwLock, AWriterIsOrderedAfterEveryReader) {
  auto& detector = this->on;
  detector(sbegin_all());
  EXPECT_EQ(detector({racq(1, 5), racq(2, 5), wr(1, 0x10), wr(2, 0x18), rrel(1, 5), rrel(2, 5),
                      acq(3, 5), wr(3, 0x10), wr(3, 0x18), rel(3, 5)}),
            Reports{});
}

TYPED_TEST(RwLock, ReadersAreOrderedAfterTheWriterBefore) {
  auto& detector = this->on;
  detector(sbegin_all());
  EXPECT_EQ(detector({acq(3, 5), wr(3, 0x10), rel(3, 5), racq(1, 5), racq(2, 5), rd(1, 0x10),
                      rd(2, 0x10), rrel(1, 5), rrel(2, 5)}),
            Reports{});
}

TYPED_TEST(RwLock, AReaderDoesNotTakeWhatReadersReleased) {
  // The writer between them is ordered after reader 1; reader 2 after the writer, hence after 1.
  auto& detector = this->on;
  detector(sbegin_all());
  EXPECT_EQ(detector({racq(1, 5), wr(1, 0x10), rrel(1, 5), acq(3, 5), rel(3, 5), racq(2, 5),
                      wr(2, 0x10), rrel(2, 5)}),
            Reports{});
  // No writer since: reader 4 is after the writer alone.
  EXPECT_EQ(detector({racq(4, 5), wr(4, 0x10)}), (Reports{{7, 10}}));
}

TYPED_TEST(RwLock, ASharedReleaseMergesHoweverItIsSpelled) {
  auto& detector = this->on;
  detector(sbegin_all());
  auto plain = [](unsigned t) { return sync(EventKind::Release, t, 5, SyncMode::Shared); };
  EXPECT_EQ(detector({racq(1, 5), racq(2, 5), wr(1, 0x10), wr(2, 0x18), plain(1), plain(2),
                      acq(3, 5), wr(3, 0x10), wr(3, 0x18)}),
            Reports{});
}

TYPED_TEST(RwLock, VolatileStoreReplacesVolatileWriteMerges) {
  auto& detector = this->on;
  detector(sbegin_all());
  EXPECT_EQ(detector({wr(1, 0x10), vw(1, 9), vw(2, 9), vr(3, 9), wr(3, 0x10)}), Reports{});
  EXPECT_EQ(detector({wr(1, 0x20), vs(1, 8), vs(2, 8), vr(3, 8), wr(3, 0x20)}), (Reports{{6, 10}}));
}

}  // namespace
}  // namespace steward::test
