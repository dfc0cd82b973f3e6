// What counts as the same race.
#include "analyze/race_table.h"

#include <gtest/gtest.h>

namespace steward::analyze {
namespace {

Race race(std::uint32_t first, std::uint32_t second, Address address,
          AccessKind a = AccessKind::Write, AccessKind b = AccessKind::Read) {
  return {{a, ThreadId{1}, SiteId{first}}, {b, ThreadId{2}, SiteId{second}}, address, 8, 0};
}

TEST(RaceTable, IsEmptyAtFirst) {
  const RaceTable t;
  EXPECT_EQ(t.dynamic(), 0u);
  EXPECT_TRUE(t.distinct().empty());
  EXPECT_EQ(t.racy_variables(), 0u);
  EXPECT_EQ(t.unlisted(), 0u);
}

TEST(RaceTable, TheSameSitesAndKindsAreOneRaceWhateverTheVariable) {
  RaceTable t;
  t.race(race(1, 2, 0x10));
  t.race(race(1, 2, 0x10));
  t.race(race(1, 2, 0x20));
  EXPECT_EQ(t.dynamic(), 3u);
  ASSERT_EQ(t.distinct().size(), 1u);
  EXPECT_EQ(t.distinct()[0].count, 3u);
  EXPECT_EQ(t.distinct()[0].example, race(1, 2, 0x10)) << "the first of them";
  EXPECT_EQ(t.racy_variables(), 2u);
}

TEST(RaceTable, ThreadsDoNotTellRacesApart) {
  RaceTable t;
  Race other = race(1, 2, 0x10);
  other.first.thread = ThreadId{9};
  t.race(race(1, 2, 0x10));
  t.race(other);
  EXPECT_EQ(t.distinct().size(), 1u);
}

TEST(RaceTable, SitesOrderAndKindsDo) {
  RaceTable t;
  t.race(race(1, 2, 0x10));
  t.race(race(1, 3, 0x10));
  t.race(race(2, 1, 0x10));
  t.race(race(1, 2, 0x10, AccessKind::Write, AccessKind::Write));
  t.race(race(1, 2, 0x10, AccessKind::AtomicWrite, AccessKind::Read));
  EXPECT_EQ(t.distinct().size(), 5u);
  EXPECT_EQ(t.racy_variables(), 1u);
}

TEST(RaceTable, WhereASiteIsNotKnownTheVariableTells) {
  RaceTable t;
  t.race(race(0, 2, 0x10));
  t.race(race(0, 2, 0x20));
  t.race(race(1, 0, 0x10));
  t.race(race(1, 0, 0x20));
  t.race(race(0, 0, 0x10));
  t.race(race(0, 0, 0x10));
  EXPECT_EQ(t.distinct().size(), 5u);
  EXPECT_EQ(t.distinct()[4].count, 2u);
}

TEST(RaceTable, KeepsTheOrderOfDiscovery) {
  RaceTable t;
  for (const std::uint32_t site : {7u, 3u, 9u, 3u, 1u}) t.race(race(site, 2, 0x10));
  std::vector<std::uint32_t> sites;
  for (const DistinctRace& d : t.distinct()) sites.push_back(raw(d.example.first.site));
  EXPECT_EQ(sites, (std::vector<std::uint32_t>{7, 3, 9, 1}));
}

TEST(RaceTable, PastTheLimitRacesAreCountedNotListed) {
  RaceTable t;
  const auto limit = static_cast<std::uint32_t>(RaceTable::kMaxDistinct);
  for (std::uint32_t i = 1; i <= limit + 5; ++i) t.race(race(i, 2, i));
  EXPECT_EQ(t.distinct().size(), RaceTable::kMaxDistinct);
  EXPECT_EQ(t.unlisted(), 5u);
  EXPECT_EQ(t.racy_variables(), RaceTable::kMaxDistinct);
  t.race(race(1, 2, 1));
  EXPECT_EQ(t.unlisted(), 5u) << "one that is listed";
  EXPECT_EQ(t.distinct()[0].count, 2u);
  EXPECT_EQ(t.dynamic(), limit + 6u);
}

}  // namespace
}  // namespace steward::analyze
