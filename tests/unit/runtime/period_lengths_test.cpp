// How long periods last, with times and work that are told.
#include <gtest/gtest.h>

#include "runtime/sample/lengths.h"

namespace steward::rt {
namespace {

constexpr unsigned kUsual = 5'000;  // microseconds

// The ticks of a sampled period, each of which does so much.
unsigned ticks_until_over(PeriodLengths& lengths, std::uint64_t work_a_tick) {
  unsigned ticks = 1;
  for (std::uint64_t work = work_a_tick; !lengths.is_over(true, work); work += work_a_tick) ++ticks;
  return ticks;
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
  } table[] = {{0, 500},           {1'000, 500},     {10'000, 500},
               {10'020, 501},      {20'000, 1'000},  {99'980, 4'999},
               {100'000, 5'000},   {100'020, 5'000}, {3'600'000'000, 5'000},
               {1ull << 50, 5'000}};
  for (const auto& row : table) {
    lengths.begin(row.age);
    EXPECT_EQ(lengths.tick_us(), row.length) << "after " << row.age;
  }
}

// A program that ends after N microseconds has seen several periods, however short it is.
TEST(PeriodLengths, AFirstTenthOfASecondHasManyPeriods) {
  PeriodLengths lengths(kUsual);
  std::uint64_t now = 0;
  unsigned periods = 0;
  for (; now < 100'000; ++periods) {
    const unsigned before = lengths.tick_us();
    lengths.begin(now);
    EXPECT_TRUE(periods == 0 || lengths.tick_us() >= before) << "they never get shorter";
    now += lengths.tick_us();
  }
  // 20 of half a millisecond, then 20 log(10) that each are a twentieth of what was before.
  EXPECT_GE(periods, 60u);
  EXPECT_LE(periods, 70u);
}

// Asked for shorter periods than can be made a tenth of, it leaves them as they are.
TEST(PeriodLengths, ShortOnesAreThatShortFromTheStart) {
  for (const unsigned usual : {200u, 1'000u}) {
    PeriodLengths lengths(usual);
    lengths.begin(0);
    EXPECT_EQ(lengths.tick_us(), usual);
  }
  PeriodLengths lengths(1'100);
  lengths.begin(0);
  EXPECT_EQ(lengths.tick_us(), 110u);
}

TEST(PeriodLengths, ASampledOneLastsAsLongInWork) {
  for (const unsigned slower : {1u, 2u, 8u, 40u}) {
    PeriodLengths lengths = settled(4'000);
    EXPECT_EQ(ticks_until_over(lengths, 4'000 / slower), slower);
    lengths.begin(1'000'000);
    EXPECT_TRUE(lengths.is_over(true, 4'000)) << "ticks are counted anew";
  }
}

TEST(PeriodLengths, ASampledOneLastsAHundredTicksAtMost) {
  PeriodLengths lengths = settled(1'000'000);
  EXPECT_EQ(ticks_until_over(lengths, 1), PeriodLengths::kMost);
}

// Learnt in long periods, asked of a short one: the work of as long a time.
TEST(PeriodLengths, WorkIsComparedByTime) {
  PeriodLengths lengths = settled(4'000);
  lengths.begin(0);
  ASSERT_EQ(lengths.tick_us(), kUsual / 10);
  EXPECT_FALSE(lengths.is_over(true, 399));
  EXPECT_TRUE(lengths.is_over(true, 400));
  EXPECT_EQ(lengths.even(400), 4'000u);
}

TEST(PeriodLengths, WithLittleWorkOrNoneChecksAreTakenToCostFourTimes) {
  for (const std::uint64_t work : {0u, 7u}) {
    PeriodLengths lengths = settled(work);
    EXPECT_EQ(ticks_until_over(lengths, 1'000), 4u) << "what it does itself says nothing";
  }
  PeriodLengths eight = settled(8);
  EXPECT_EQ(ticks_until_over(eight, 8), 1u);
}

// A compressor's threads take a block now and then: what a period happens to have of that does not
// tell how far it has come.
TEST(PeriodLengths, WithSomeWorkASampledOneDoesNotWaitLongForIt) {
  for (const std::uint64_t work : {8u, 127u}) {
    PeriodLengths lengths = settled(work);
    EXPECT_EQ(ticks_until_over(lengths, 0), 12u);
  }
  PeriodLengths plenty = settled(128);
  EXPECT_EQ(ticks_until_over(plenty, 0), PeriodLengths::kMost);
}

TEST(PeriodLengths, InTheFirstMomentsASampledOneIsAsLongAsTheOthers) {
  PeriodLengths lengths(kUsual);
  lengths.begin(0);
  EXPECT_EQ(ticks_until_over(lengths, 0), 1u);
  lengths.begin(50'000);  // half as long as the usual: twice, and on to four times
  EXPECT_EQ(ticks_until_over(lengths, 0), 2u);
  lengths.begin(100'000);
  EXPECT_EQ(ticks_until_over(lengths, 0), 4u);
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
