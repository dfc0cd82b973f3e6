// How long periods last, with times and work that are told.
#include <gtest/gtest.h>

#include "runtime/sample/lengths.h"

namespace steward::rt {
namespace {

constexpr unsigned kUsual = 5'000;  // microseconds

// What a sampled period lasts, in quarters of the length of others, each of which does so much.
unsigned quarters_until_over(PeriodLengths& lengths, std::uint64_t work) {
  EXPECT_EQ(lengths.tick_us(true), lengths.length_us() / 4);
  unsigned ticks = 1;
  for (std::uint64_t done = work; !lengths.is_over(true, done); done += work) ++ticks;
  return ticks;
}
unsigned lengths_until_over(PeriodLengths& lengths, std::uint64_t work) {
  const unsigned quarters = quarters_until_over(lengths, work / 4);
  EXPECT_EQ(quarters % 4, 0u);
  return quarters / 4;
}

// A program that has run for a second, with unsampled periods that do so much.
PeriodLengths settled(std::uint64_t work) {
  PeriodLengths lengths(kUsual);
  for (unsigned i = 0; i < 20; ++i) {
    lengths.begin(1'000'000);
    EXPECT_TRUE(lengths.is_over(false, work)) << "an unsampled period is one tick";
    lengths.learn(work);
  }
  lengths.begin(1'000'000);
  return lengths;
}

TEST(PeriodLengths, GrowFromATenthToTheUsual) {
  PeriodLengths lengths(kUsual);
  const struct {
    std::uint64_t age;
    unsigned length;
  } table[] = {{0, 500},          {1'000, 500},    {2'000, 500},
               {2'004, 501},      {4'000, 1'000},  {19'996, 4'999},
               {20'000, 5'000},   {20'004, 5'000}, {3'600'000'000, 5'000},
               {1ull << 50, 5'000}};
  for (const auto& row : table) {
    lengths.begin(row.age);
    EXPECT_EQ(lengths.length_us(), row.length) << "after " << row.age;
  }
}

// A program that ends after N microseconds has seen several periods, however short it is.
TEST(PeriodLengths, TheFirstMomentsHaveManyPeriods) {
  PeriodLengths lengths(kUsual);
  std::uint64_t now = 0;
  unsigned periods = 0;
  for (; now < 20'000; ++periods) {
    const unsigned before = lengths.length_us();
    lengths.begin(now);
    EXPECT_TRUE(periods == 0 || lengths.length_us() >= before) << "they never get shorter";
    now += lengths.length_us();
  }
  // 4 of half a millisecond, then log 10 / log 1.25 that each are a quarter of what was before.
  EXPECT_GE(periods, 13u);
  EXPECT_LE(periods, 17u);
}

// Asked for shorter periods than can be made a tenth of, it leaves them as they are.
TEST(PeriodLengths, ShortOnesAreThatShortFromTheStart) {
  for (const unsigned usual : {200u, 1'000u}) {
    PeriodLengths lengths(usual);
    lengths.begin(0);
    EXPECT_EQ(lengths.length_us(), usual);
  }
  PeriodLengths lengths(1'100);
  lengths.begin(0);
  EXPECT_EQ(lengths.length_us(), 110u);
}

TEST(PeriodLengths, ASampledOneLastsAsLongInWork) {
  for (const unsigned slower : {1u, 2u, 8u, 40u}) {
    PeriodLengths lengths = settled(4'000);
    EXPECT_EQ(lengths_until_over(lengths, 4'000 / slower), slower);
    lengths.begin(1'000'000);
    EXPECT_TRUE(lengths.is_over(true, 4'000)) << "ticks are counted anew";
  }
}

TEST(PeriodLengths, ASampledOneLastsAHundredTicksAtMost) {
  PeriodLengths lengths = settled(1'000'000);
  EXPECT_EQ(lengths_until_over(lengths, 1), PeriodLengths::kMost);
}

// Learnt in long periods, asked of a short one: the work of as long a time.
TEST(PeriodLengths, WorkIsComparedByTime) {
  PeriodLengths lengths = settled(4'000);
  lengths.begin(0);
  ASSERT_EQ(lengths.length_us(), kUsual / 10);
  EXPECT_FALSE(lengths.is_over(true, 399));
  EXPECT_TRUE(lengths.is_over(true, 400));
  EXPECT_EQ(lengths.even(400), 4'000u);
}

TEST(PeriodLengths, WithLittleWorkOrNoneChecksAreTakenToCostFourTimes) {
  for (const std::uint64_t work : {0u, 7u}) {
    PeriodLengths lengths = settled(work);
    EXPECT_EQ(lengths_until_over(lengths, 1'000), 4u) << "what it does itself says nothing";
  }
}

// A compressor's threads take a block now and then: what a period happens to have of that does not
// tell how far it has come.
TEST(PeriodLengths, WithSomeWorkASampledOneDoesNotWaitLongForIt) {
  for (const std::uint64_t work : {8u, 127u}) {
    PeriodLengths lengths = settled(work);
    EXPECT_EQ(lengths_until_over(lengths, 0), 12u);
  }
  PeriodLengths plenty = settled(128);
  EXPECT_EQ(lengths_until_over(plenty, 0), PeriodLengths::kMost);
}

TEST(PeriodLengths, InTheFirstMomentsASampledOneIsAsLongAsTheOthers) {
  PeriodLengths lengths(kUsual);
  lengths.begin(0);
  EXPECT_EQ(lengths_until_over(lengths, 0), 1u);
  lengths.begin(10'000);  // half as long as the usual: twice, and on to four times
  EXPECT_EQ(lengths_until_over(lengths, 0), 2u);
  lengths.begin(20'000);
  EXPECT_EQ(lengths_until_over(lengths, 0), 4u);
}

TEST(PeriodLengths, AreLongWhereThreadsSeldomSynchronise) {
  const struct {
    std::uint64_t work;  // in the usual length
    unsigned length;
  } table[] = {{0, 50'000}, {6, 50'000}, {8, 40'000}, {32, 10'000}, {64, 5'000}, {4'000, 5'000}};
  for (const auto& row : table) {
    PeriodLengths lengths(kUsual);
    lengths.begin(20'000);
    lengths.learn(row.work);
    lengths.begin(1'000'000);
    EXPECT_EQ(lengths.length_us(), row.length) << row.work;
    lengths.begin(8'000);
    EXPECT_EQ(lengths.length_us(), 2'000u) << "a young program's are short all the same";
  }
}

TEST(PeriodLengths, AreAsLongAsChecksStayOnAfterThem) {
  PeriodLengths lengths = settled(4'000);
  const auto next = [&] { return lengths.begin(1'000'000), lengths.length_us(); };
  lengths.note_aftermath(300, true);
  EXPECT_EQ(next(), kUsual) << "soon off: as usual";
  lengths.note_aftermath(12'000, false);
  EXPECT_EQ(next(), 12'000u);
  lengths.note_aftermath(20'000, false);
  lengths.note_aftermath(30'000, true);
  EXPECT_EQ(next(), 25'000u) << "what was, and what was before, each by half";
  EXPECT_FALSE(lengths.is_over(true, 4'000 * 5 - 1));
  EXPECT_TRUE(lengths.is_over(true, 4'000 * 5)) << "as much work as others do in that time";
  lengths.note_aftermath(3'600'000'000, false);
  EXPECT_EQ(next(), kUsual * PeriodLengths::kLongest);
  for (unsigned i = 0; i < 40; ++i) lengths.note_aftermath(300, true);
  EXPECT_EQ(next(), kUsual) << "and back";
}

TEST(PeriodLengths, LongOnesWithoutWorkAreTakenToCostFourTimesToo) {
  PeriodLengths lengths = settled(0);
  lengths.note_aftermath(3'600'000'000, false);
  lengths.begin(1'000'000);
  EXPECT_EQ(lengths_until_over(lengths, 0), 4u);
}

// A busier phase is believed at once, a quieter one by halves.
TEST(PeriodLengths, PhasesAreFollowed) {
  PeriodLengths lengths = settled(100);
  lengths.learn(10'000);
  lengths.begin(1'000'000);
  EXPECT_FALSE(lengths.is_over(true, 9'999));
  EXPECT_TRUE(lengths.is_over(true, 10'000));
  lengths.learn(0);  // (10,000 / 2 + 0) in 1.5 periods
  lengths.begin(1'000'000);
  EXPECT_FALSE(lengths.is_over(true, 3'333));
  EXPECT_TRUE(lengths.is_over(true, 3'334));
}

TEST(PeriodLengths, AnotherRateEndsAPeriod) {
  PeriodLengths lengths = settled(4'000);
  EXPECT_FALSE(lengths.is_over(true, 0));
  lengths.end_at_next_tick();
  EXPECT_TRUE(lengths.is_over(true, 0));
  lengths.begin(1'000'000);
  EXPECT_FALSE(lengths.is_over(true, 0));
}

}  // namespace
}  // namespace steward::rt
