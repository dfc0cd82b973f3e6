// Epochs, vector clocks, version epochs, read maps and slots.
#include <gtest/gtest.h>
#include <map>
#include <vector>

#include "core/clock/epoch.h"
#include "core/clock/read_map.h"
#include "core/clock/slots.h"
#include "core/clock/vector_clock.h"
#include "core/clock/version.h"

#include "analyze/heap_pages.h"
#include "analyze/random.h"

namespace steward::test {
namespace {

class Clocks : public testing::Test {
 protected:
  // Element i is the clock of slot i.
  VectorClock clock(const std::vector<Clock>& values) {
    VectorClock c(pool);
    for (std::uint32_t i = 0; i < values.size(); ++i) c.set(Slot{i}, values[i]);
    return c;
  }
  static std::vector<Clock> values(const VectorClock& c) { return {c.begin(), c.end()}; }

  analyze::HeapPages pages;
  Pool pool{pages};
};

TEST(Epoch, HoldsSlotAndClockInAWord) {
  const Slot high{0x7fff'ffff};
  const Epoch e{high, kMaxClock};
  EXPECT_EQ(e.slot(), high);
  EXPECT_EQ(e.clock(), kMaxClock);
  EXPECT_EQ(Epoch::from_word(e.word()), e);
  EXPECT_EQ(e.word() >> 63, 0u) << "the top bit is a cell's tag";
  EXPECT_NE((Epoch{Slot{1}, 2}), (Epoch{Slot{2}, 1}));
}

TEST(Epoch, ClockZeroOfAnySlotIsMinimal) {
  EXPECT_TRUE(Epoch().is_minimal());
  EXPECT_TRUE((Epoch{Slot{9}, 0}).is_minimal());
  EXPECT_FALSE((Epoch{Slot{0}, 1}).is_minimal());
}

TEST_F(Clocks, CoverAnEpochByItsSlot) {
  const VectorClock c = clock({4, 0, 7});
  EXPECT_TRUE(c.covers(Epoch{Slot{0}, 4}));
  EXPECT_FALSE(c.covers(Epoch{Slot{0}, 5}));
  EXPECT_FALSE(c.covers(Epoch{Slot{1}, 1}));
  EXPECT_FALSE(c.covers(Epoch{Slot{3}, 1})) << "past the end is 0";
  EXPECT_TRUE(c.covers(Epoch{Slot{3}, 0})) << "minimal";
}

// The comparison works in blocks of 32: sizes around the edges of one and two blocks.
const std::uint32_t kSizes[] = {0, 1, 2, 31, 32, 33, 63, 64, 65};

TEST_F(Clocks, CoverWhatIsNowhereAbove) {
  for (const std::uint32_t mine : kSizes) {
    for (const std::uint32_t theirs : kSizes) {
      const VectorClock c = clock(std::vector<Clock>(mine, 5));
      EXPECT_EQ(c.covers(clock(std::vector<Clock>(theirs, 5))), theirs <= mine);
      EXPECT_TRUE(c.covers(clock(std::vector<Clock>(theirs, 0))));
      for (std::uint32_t i = 0; i < theirs; ++i) {  // above in one place alone
        std::vector<Clock> one(theirs, 0);
        one[i] = 6;
        ASSERT_FALSE(c.covers(clock(one))) << mine << " " << theirs << " " << i;
        one[i] = 5;
        ASSERT_EQ(c.covers(clock(one)), i < mine) << mine << " " << theirs << " " << i;
      }
    }
  }
}

TEST_F(Clocks, JoinIsThePointwiseMaximum) {
  analyze::Random random(1);
  for (const std::uint32_t mine : kSizes) {
    for (const std::uint32_t theirs : kSizes) {
      std::vector<Clock> a(mine), b(theirs);
      for (auto& x : a) x = static_cast<Clock>(random.below(100));
      for (auto& x : b) x = static_cast<Clock>(random.below(100));
      std::vector<Clock> both(std::max(mine, theirs));
      for (std::size_t i = 0; i < both.size(); ++i) {
        both[i] = std::max(i < mine ? a[i] : 0, i < theirs ? b[i] : 0);
      }
      VectorClock c = clock(a);
      c.join(clock(b));
      ASSERT_EQ(values(c), both) << mine << " " << theirs;
      c.join(c);
      ASSERT_EQ(values(c), both);
    }
  }
}

TEST_F(Clocks, CopyLeavesNothingOfTheOld) {
  for (const std::uint32_t mine : kSizes) {
    for (const std::uint32_t theirs : kSizes) {
      VectorClock c = clock(std::vector<Clock>(mine, 9));
      const VectorClock o = clock(std::vector<Clock>(theirs, 3));
      c.copy(o);
      ASSERT_EQ(values(c), values(o));
      for (std::uint32_t i = 0; i < 70; ++i) ASSERT_EQ(c[Slot{i}], i < theirs ? 3u : 0u);
      c.set(Slot{69}, 1);  // what lies between must be 0, not the old 9
      for (std::uint32_t i = theirs; i < 69; ++i) ASSERT_EQ(c[Slot{i}], 0u);
      ASSERT_TRUE(c.covers(o));
    }
  }
  EXPECT_EQ(pool.in_use(), 0u);
}

TEST_F(Clocks, CopyToItselfChangesNothing) {
  VectorClock c = clock({1, 2, 3});
  c.copy(c);
  EXPECT_EQ(values(c), (std::vector<Clock>{1, 2, 3}));
}

TEST_F(Clocks, VersionEpochsMinimalAndTop) {
  VersionVector v(pool);
  EXPECT_TRUE(v.covers(VersionEpoch{})) << "the minimal version epoch lies below all";
  EXPECT_FALSE(v.covers(VersionEpoch::top()));
  v.set(Slot{0}, ~Version{0} - 1);
  EXPECT_FALSE(v.covers(VersionEpoch::top())) << "top lies below none";
  EXPECT_TRUE(VersionEpoch::top().is_top());
  v.set(Slot{2}, 5);
  EXPECT_TRUE(v.covers({Slot{2}, 5}));
  EXPECT_FALSE(v.covers({Slot{2}, 6}));
}

Stamp stamp(std::uint32_t slot, Clock clock, std::uint32_t site = 1) {
  return {Epoch{Slot{slot}, clock}, SiteId{site}};
}

TEST_F(Clocks, AReadMapOfOneOwnsNoMemory) {
  ReadMap r(pool);
  EXPECT_TRUE(r.empty());
  r.put(stamp(3, 4));
  r.put(stamp(3, 5));
  EXPECT_EQ(r.size(), 1u);
  EXPECT_EQ(r.single(), stamp(3, 5));
  EXPECT_EQ(pool.in_use(), 0u);
  r.put(stamp(1, 1));
  EXPECT_EQ(r.size(), 2u);
  EXPECT_TRUE(r.single().empty()) << "no single entry among two";
  EXPECT_GT(pool.in_use(), 0u);
  r.erase(Slot{3});
  EXPECT_EQ(r.single(), stamp(1, 1));
  EXPECT_EQ(pool.in_use(), 0u);
  r.erase(Slot{2});
  EXPECT_EQ(r.size(), 1u) << "not its slot";
  r.erase(Slot{1});
  EXPECT_TRUE(r.empty());
}

TEST_F(Clocks, AReadMapIsCoveredWhenEveryEntryIs) {
  ReadMap r(pool);
  EXPECT_TRUE(r.covered_by(clock({}))) << "empty";
  r.put(stamp(0, 2));
  r.put(stamp(4, 3));
  EXPECT_TRUE(r.covered_by(clock({2, 0, 0, 0, 3})));
  EXPECT_FALSE(r.covered_by(clock({2, 9, 9, 9, 2})));
  EXPECT_FALSE(r.covered_by(clock({1, 0, 0, 0, 3})));
  r.clear();
}

TEST_F(Clocks, RandomReadMapsMatchStdMap) {
  for (unsigned seed = 1; seed <= 200; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    analyze::Random random(seed);
    {
      ReadMap r(pool);
      std::map<Slot, Stamp> model;
      const std::uint64_t slots = 1 + random.below(40);
      for (Clock step = 1; step <= 100; ++step) {
        const Stamp s = stamp(static_cast<std::uint32_t>(random.below(slots)), step, step);
        switch (random.below(random.below(10) == 0 ? 4 : 2)) {
          case 0:
            r.put(s);
            model[s.epoch.slot()] = s;
            break;
          case 1:
            r.erase(s.epoch.slot());
            model.erase(s.epoch.slot());
            break;
          case 2:
            r.set_single(s);
            model = {{s.epoch.slot(), s}};
            break;
          default:
            r.clear();
            model.clear();
        }
        std::map<Slot, Stamp> seen;
        r.for_each([&](const Stamp& each) { seen[each.epoch.slot()] = each; });
        ASSERT_EQ(seen, model);
        ASSERT_EQ(r.size(), model.size());
        ASSERT_EQ(r.single(), model.size() == 1 ? model.begin()->second : Stamp{});
      }
    }
    ASSERT_EQ(pool.in_use(), 0u);
  }
}

constexpr auto kNever = [](Slot, Clock) { return false; };
constexpr auto kAlways = [](Slot, Clock) { return true; };

TEST_F(Clocks, SlotsAreNewUntilADeadOneIsOrdered) {
  SlotTable slots(pool);
  const auto a = slots.open(ThreadId{10}, kAlways);
  EXPECT_EQ(a.slot, Slot{0});
  EXPECT_EQ(a.first, 1u);
  EXPECT_FALSE(a.reused);
  EXPECT_EQ(slots.open(ThreadId{11}, kAlways).slot, Slot{1}) << "slot 0 is in use";
  slots.close(a.slot, 5);
  EXPECT_EQ(slots.open(ThreadId{12}, kNever).slot, Slot{2}) << "not ordered after slot 0's owner";
  const auto d = slots.open(ThreadId{13}, [](Slot s, Clock last) {
    EXPECT_EQ(s, Slot{0});
    EXPECT_EQ(last, 5u);
    return true;
  });
  EXPECT_EQ(d.slot, Slot{0});
  EXPECT_EQ(d.first, 6u);
  EXPECT_TRUE(d.reused);
  EXPECT_EQ(slots.size(), 3u);
}

TEST_F(Clocks, TheLatestDeadSlotIsTriedFirst) {
  SlotTable slots(pool);
  for (unsigned i = 0; i < 4; ++i) slots.open(ThreadId{i}, kNever);
  for (const unsigned i : {2u, 0u, 3u}) slots.close(Slot{i}, 1);
  EXPECT_EQ(slots.open(ThreadId{9}, kAlways).slot, Slot{3});
  EXPECT_EQ(slots.open(ThreadId{9}, [](Slot s, Clock) { return s == Slot{2}; }).slot, Slot{2});
  EXPECT_EQ(slots.open(ThreadId{9}, kAlways).slot, Slot{0});
}

TEST_F(Clocks, AFullSlotIsNotUsedAgain) {
  SlotTable slots(pool, 3);
  EXPECT_EQ(slots.limit(), 3u);
  const auto a = slots.open(ThreadId{0}, kNever);
  slots.close(a.slot, 3);
  EXPECT_EQ(slots.open(ThreadId{1}, kAlways).slot, Slot{1});
  const auto b = slots.open(ThreadId{2}, kAlways);
  slots.close(b.slot, 2);
  EXPECT_EQ(slots.open(ThreadId{3}, kAlways).slot, b.slot) << "one value is left";
}

TEST_F(Clocks, WithoutRoomTheLongestDeadSlotIsForced) {
  SlotTable slots(pool, kMaxClock, 3);
  for (unsigned t = 0; t < 3; ++t) EXPECT_FALSE(slots.open(ThreadId{t}, kNever).forced);
  const auto none = slots.open(ThreadId{3}, kAlways);
  EXPECT_TRUE(none.forced);
  EXPECT_EQ(none.first, 0u) << "no slot is dead";
  slots.close(Slot{1}, 7);
  slots.close(Slot{0}, 4);
  const auto forced = slots.open(ThreadId{4}, kNever);
  EXPECT_TRUE(forced.forced);
  EXPECT_EQ(forced.slot, Slot{1});
  EXPECT_EQ(forced.first, 8u);
  EXPECT_EQ(slots.owner(Epoch{Slot{1}, 7}), ThreadId{1});
  EXPECT_EQ(slots.owner(Epoch{Slot{1}, 8}), ThreadId{4});
  EXPECT_FALSE(slots.open(ThreadId{5}, kAlways).forced) << "an ordered one is left";
}

TEST_F(Clocks, OwnersAreRememberedByTheirClocks) {
  SlotTable slots(pool);
  Slot slot{};
  for (unsigned t = 0; t < 5; ++t) {  // thread t owns clocks 10t+1 .. 10t+10
    slot = slots.open(ThreadId{t}, kAlways).slot;
    slots.close(slot, 10 * t + 10);
  }
  for (Clock c = 1; c <= 50; ++c) ASSERT_EQ(slots.owner(Epoch{slot, c}), ThreadId{(c - 1) / 10});
  EXPECT_EQ(slots.size(), 1u);
}

}  // namespace
}  // namespace steward::test
