// FastTrack by hand: each branch of Algorithms 7-8, what it leaves behind (seen in later reports),
// bytes, atomics, and life after a race.
#include "core/fasttrack/fasttrack.h"

#include <gtest/gtest.h>

#include "core/generic/generic.h"
#include "core/pacer/pacer.h"

#include "unit/core/stepper.h"

namespace steward::test {
namespace {

constexpr Address kX = 0x1000;
constexpr Address kY = 0x2000;
constexpr std::uint64_t kM = 1;

class FastTrackRules : public testing::Test {
 protected:
  // The rule that an access fires.
  std::string rule(const Event& e) {
    std::map<std::string, std::uint64_t> before;
    on.analysis().for_each_stat([&](const Stat& s) { before[s.name] = s.outside; });
    on(e);
    std::string changed;
    on.analysis().for_each_stat([&](const Stat& s) {
      if (before[s.name] != s.outside) changed += s.name;
    });
    return changed;
  }
  // Orders all that t has done before what u does next.
  void order(unsigned t, unsigned u) { on({acq(t, kM), rel(t, kM), acq(u, kM), rel(u, kM)}); }

  Stepper<FastTrack> on;
};

TEST_F(FastTrackRules, ReadSameEpoch) {
  on(rd(0, kX));
  EXPECT_EQ(rule(rd(0, kX)), "read same epoch");
  on({acq(0, kM), rel(0, kM)});
  EXPECT_EQ(rule(rd(0, kX)), "read exclusive") << "a release ends the epoch";
}

TEST_F(FastTrackRules, ReadExclusiveOverwritesTheReadMap) {
  EXPECT_EQ(rule(rd(0, kX)), "read exclusive");  // 0
  order(0, 1);
  EXPECT_EQ(rule(rd(1, kX)), "read exclusive");  // 5
  EXPECT_EQ(on(wr(2, kX)), (Reports{{5, 6}})) << "only the last read is known";
}

TEST_F(FastTrackRules, ReadSharedKeepsBothReads) {
  on(rd(0, kX));                              // 0
  EXPECT_EQ(rule(rd(1, kX)), "read shared");  // 1
  Reports races = on(wr(2, kX));
  std::sort(races.begin(), races.end());
  EXPECT_EQ(races, (Reports{{0, 2}, {1, 2}}));
}

TEST_F(FastTrackRules, ReadSharedUpdatesTheThreadsEntry) {
  on({rd(0, kX), rd(1, kX)});
  order(0, 2);                                // the release ends the epoch of 0
  EXPECT_EQ(rule(rd(0, kX)), "read shared");  // 6, in place of 0
  Reports races = on(wr(2, kX));              // ordered after read 0, not after read 6
  std::sort(races.begin(), races.end());
  EXPECT_EQ(races, (Reports{{1, 7}, {6, 7}}));
}

TEST_F(FastTrackRules, AReadMapOfTwoStaysSharedUntilAWrite) {
  on({rd(0, kX), rd(1, kX)});
  order(0, 2);
  order(1, 2);
  EXPECT_EQ(rule(rd(2, kX)), "read shared") << "|R| > 1, although it is ordered after both";
  EXPECT_EQ(rule(wr(2, kX)), "write shared");
}

TEST_F(FastTrackRules, ReadChecksTheWrite) {
  on(wr(0, kX));
  EXPECT_EQ(on(rd(1, kX)), (Reports{{0, 1}}));
  EXPECT_EQ(on.races()[0].first.kind, AccessKind::Write);
  EXPECT_EQ(on.races()[0].second.kind, AccessKind::Read);
  EXPECT_EQ(on.races()[0].first.thread, ThreadId{0});
  EXPECT_EQ(on.races()[0].second.thread, ThreadId{1});
  EXPECT_EQ(on.races()[0].event, 1u);
}

TEST_F(FastTrackRules, WriteSameEpoch) {
  on(wr(0, kX));
  EXPECT_EQ(rule(wr(0, kX)), "write same epoch");
  on({acq(0, kM), rel(0, kM)});
  EXPECT_EQ(rule(wr(0, kX)), "write exclusive");
}

TEST_F(FastTrackRules, WriteExclusiveReplacesTheWriteEpoch) {
  EXPECT_EQ(rule(wr(0, kX)), "write exclusive");  // 0
  order(0, 1);
  EXPECT_EQ(rule(wr(1, kX)), "write exclusive");  // 5
  EXPECT_EQ(on(rd(2, kX)), (Reports{{5, 6}}));
}

TEST_F(FastTrackRules, WriteExclusiveChecksTheOneRead) {
  on(rd(0, kX));
  EXPECT_EQ(rule(wr(1, kX)), "write exclusive");
  EXPECT_EQ(on.races().size(), 1u);
  EXPECT_EQ(on.races()[0].first.kind, AccessKind::Read);
}

TEST_F(FastTrackRules, WriteSharedChecksEveryRead) {
  on({rd(0, kX), rd(1, kX), rd(2, kX)});
  order(1, 3);
  EXPECT_EQ(rule(wr(3, kX)), "write shared");  // 7
  std::set<std::size_t> first;
  for (const Race& r : on.races()) first.insert(first_event(r));
  EXPECT_EQ(first, (std::set<std::size_t>{0, 2})) << "read 1 is ordered before";
}

TEST_F(FastTrackRules, AWriteClearsTheReadMap) {
  on(rd(0, kX));  // 0
  order(0, 1);
  on(wr(1, kX));  // 5: ordered after the read
  EXPECT_EQ(on(wr(2, kX)), (Reports{{5, 6}})) << "the read is forgotten: write 5 stands for it";

  on({rd(3, kY), rd(4, kY)});  // 7, 8
  order(3, 1);
  order(4, 1);
  on(wr(1, kY));  // 17
  EXPECT_EQ(rule(rd(1, kY)), "read exclusive") << "a shared map is cleared as well";
  order(1, 5);
  EXPECT_EQ(rule(wr(5, kY)), "write exclusive");
}

TEST_F(FastTrackRules, AWriteAfterAWriteAndAReadReportsBoth) {
  on({wr(0, kX)});
  order(0, 1);
  on(rd(1, kX));  // 5
  Reports races = on(wr(2, kX));
  std::sort(races.begin(), races.end());
  EXPECT_EQ(races, (Reports{{0, 6}, {5, 6}}));
}

TEST_F(FastTrackRules, GoesOnAfterARace) {
  EXPECT_EQ(on({wr(0, kX), wr(1, kX)}), (Reports{{0, 1}}));
  EXPECT_EQ(on(wr(2, kX)), (Reports{{1, 2}}));
  EXPECT_EQ(on({wr(0, kY), wr(1, kY)}), (Reports{{3, 4}}));
  EXPECT_EQ(on(rd(0, kX)), (Reports{{2, 5}}));
}

TEST_F(FastTrackRules, AVerdictListsEightConflicts) {
  for (unsigned t = 0; t < 12; ++t) on(rd(t, kX));
  EXPECT_EQ(on(wr(20, kX)).size(), std::size_t{Verdict::kListed});
}

TEST_F(FastTrackRules, FreedMemoryHasNoHistory) {
  on({wr(0, kX), rd(1, kY), rd(2, kY), free_of(0, kX, 8), free_of(0, kY, 4)});
  EXPECT_EQ(on(wr(3, kX)), Reports{});
  EXPECT_EQ(on(wr(3, kY, 4)), Reports{});
  EXPECT_EQ(on(wr(3, kY + 4, 4)).size(), 2u) << "half of y was not freed";
}

TEST_F(FastTrackRules, MovedMemoryTakesItsHistoryAlong) {
  on({rd(0, kX), rd(1, kX), awr(2, kX), move_of(0, kX, kY, 8)});  // 0-3: all in the side structure
  Reports races = on(wr(5, kY));
  std::sort(races.begin(), races.end());
  EXPECT_EQ(races, (Reports{{0, 4}, {1, 4}, {2, 4}}));
  EXPECT_EQ(on(wr(5, kX)).size(), 3u) << "the old place keeps its own until it is freed";
}

// Bytes.

struct Span {
  Address address;
  std::uint64_t size;
};

TEST_F(FastTrackRules, NeighbourBytesDoNotRace) {
  for (unsigned t = 0; t < 8; ++t) EXPECT_EQ(on(wr(t, kX + t, 1)), Reports{});
  EXPECT_EQ(on({wr(0, kY, 2), wr(1, kY + 2, 3), wr(2, kY + 5, 3), wr(3, kY + 8, 16)}), Reports{});
}

TEST_F(FastTrackRules, OverlappingAccessesRaceInTheBytesTheyShare) {
  const std::pair<Span, Span> overlaps[] = {
      {{0, 4}, {3, 2}}, {{3, 2}, {0, 4}},      {{0, 8}, {5, 1}},      {{5, 1}, {0, 8}},
      {{1, 7}, {7, 3}}, {{4, 16}, {12, 8}},    {{12, 8}, {4, 16}},    {{0, 16}, {0, 16}},
      {{6, 3}, {8, 1}}, {{0, 1000}, {501, 3}}, {{501, 3}, {0, 1000}}, {{7, 2}, {0, 8}}};
  Address base = 0x10'000;
  for (const auto& [first, second] : overlaps) {
    SCOPED_TRACE(testing::Message() << first.address << "+" << first.size << " " << second.address
                                    << "+" << second.size);
    on(wr(0, base + first.address, first.size));
    const std::size_t before = on.races().size();
    on(wr(1, base + second.address, second.size));
    std::set<Address> reported, shared;
    for (std::size_t i = before; i < on.races().size(); ++i) {
      const Race& r = on.races()[i];
      for (Address a = r.address; a < r.address + r.size; ++a) {
        EXPECT_TRUE(reported.insert(a).second) << "reported twice";
      }
    }
    for (Address a = first.address; a < first.address + first.size; ++a) {
      if (a >= second.address && a < second.address + second.size) shared.insert(base + a);
    }
    EXPECT_EQ(reported, shared);
    base += 0x1000;
  }
}

TEST_F(FastTrackRules, APartOfAVariableKeepsTheHistoryOfTheWhole) {
  on(wr(0, kX));         // 0
  on(wr(0, kX + 2, 1));  // 1: same epoch, but cuts
  EXPECT_EQ(on(rd(1, kX + 3, 1)), (Reports{{0, 2}}));
  EXPECT_EQ(on(rd(1, kX + 2, 1)), (Reports{{0, 3}}));
  EXPECT_EQ(on(rd(1, kX + 8, 1)), Reports{});
}

// Atomics: on every detector.

template <class Algorithm>
class Atomics : public testing::Test {
 public:
  Atomics() { on(sbegin_all()); }  // event 0
  void order(unsigned t, unsigned u) { on({acq(t, kM), rel(t, kM), acq(u, kM), rel(u, kM)}); }
  Stepper<Algorithm> on;
};
using Detectors = testing::Types<Generic, FastTrack, Pacer>;
TYPED_TEST_SUITE(Atomics, Detectors);

TYPED_TEST(Atomics, EveryPairOfKinds) {
  auto of = [](AccessKind k, unsigned t, Address a) {
    switch (k) {
      case AccessKind::Read:
        return rd(t, a);
      case AccessKind::Write:
        return wr(t, a);
      case AccessKind::AtomicRead:
        return ard(t, a);
      case AccessKind::AtomicWrite:
        break;
    }
    return awr(t, a);
  };
  Address a = 0x100;
  for (unsigned i = 0; i < 4; ++i) {
    for (unsigned j = 0; j < 4; ++j) {
      const auto first = static_cast<AccessKind>(i);
      const auto second = static_cast<AccessKind>(j);
      SCOPED_TRACE(testing::Message() << name(first) << ", " << name(second));
      this->on(of(first, 1, a));
      const std::size_t races = this->on(of(second, 2, a)).size();
      const bool writes = is_write(first) || is_write(second);
      const bool both_atomic = i >= 2 && j >= 2;
      EXPECT_EQ(races, writes && !both_atomic ? 1u : 0u);
      if (races != 0) {
        EXPECT_EQ(this->on.races().back().first.kind, first);
        EXPECT_EQ(this->on.races().back().second.kind, second);
      }
      a += 8;
    }
  }
}

TYPED_TEST(Atomics, AnAtomicWriteDoesNotHideAnEarlierConcurrentOne) {
  this->on({awr(1, kX), awr(2, kX)});  // 1, 2: concurrent
  this->order(2, 3);
  EXPECT_EQ(this->on(rd(3, kX)), (Reports{{1, 7}})) << "ordered after write 2 alone";
}

TYPED_TEST(Atomics, AnAtomicReadDoesNotHideAnEarlierConcurrentOne) {
  this->on({ard(1, kX), ard(2, kX)});
  this->order(2, 3);
  EXPECT_EQ(this->on(wr(3, kX)), (Reports{{1, 7}}));
}

TYPED_TEST(Atomics, APlainReadOutlivesAnAtomicWriteAfterIt) {
  this->on(rd(1, kX));  // 1
  this->order(1, 2);
  EXPECT_EQ(this->on(awr(2, kX)), Reports{});         // 6
  EXPECT_EQ(this->on(awr(3, kX)), (Reports{{1, 7}}))  // races with the read,
      << "not with the atomic write";
}

TYPED_TEST(Atomics, APlainWriteOutlivesAnAtomicWriteAfterIt) {
  this->on(wr(1, kX));  // 1
  this->order(1, 2);
  this->on(awr(2, kX));  // 6
  EXPECT_EQ(this->on(ard(3, kX)), (Reports{{1, 7}}));
}

TYPED_TEST(Atomics, AnAtomicReadOutlivesAnAtomicWriteItIsNotOrderedBefore) {
  this->on({ard(1, kX), awr(2, kX)});  // 1, 2
  this->order(2, 3);
  EXPECT_EQ(this->on(wr(3, kX)), (Reports{{1, 7}}));
}

TYPED_TEST(Atomics, AnOrderedAtomicWriteIsEnoughToRemember) {
  // Write 6 is after write 1: whoever has not seen 1 has not seen 6.
  this->on(awr(1, kX));
  this->order(1, 2);
  this->on(awr(2, kX));  // 6
  const Reports races = this->on(rd(3, kX));
  EXPECT_TRUE(std::find(races.begin(), races.end(), Between{6, 7}) != races.end());
}

TYPED_TEST(Atomics, AtomicsRaceInTheBytesTheyShare) {
  this->on(awr(1, kX, 4));
  EXPECT_EQ(this->on(wr(2, kX + 4, 4)), Reports{});
  EXPECT_EQ(this->on(wr(2, kX + 3, 4)), (Reports{{1, 3}}));
  EXPECT_EQ(this->on.races().back().address, kX + 3);
  EXPECT_EQ(this->on.races().back().size, 1u);
}

TEST_F(FastTrackRules, AtomicRules) {
  EXPECT_EQ(rule(ard(0, kX)), "atomic read exclusive");
  EXPECT_EQ(rule(ard(0, kX)), "atomic read same epoch");
  EXPECT_EQ(rule(ard(1, kX)), "atomic read shared");
  EXPECT_EQ(rule(awr(0, kX)), "atomic write exclusive");
  EXPECT_EQ(rule(awr(0, kX)), "atomic write same epoch");
  EXPECT_EQ(rule(awr(1, kX)), "atomic write shared");
  order(0, 2);
  order(1, 2);
  EXPECT_EQ(rule(wr(2, kX)), "write exclusive") << "all atomics are ordered before, none plain";
  EXPECT_EQ(on.races().size(), 0u);
  EXPECT_EQ(rule(ard(2, kX)), "atomic read exclusive") << "a write clears them";
}

}  // namespace
}  // namespace steward::test
