// The seeded generator: known values, so that a seed means the same on every machine and in every
// version.
#include "analyze/random.h"

#include <gtest/gtest.h>
#include <vector>

namespace steward::analyze {
namespace {

// splitmix64's published first outputs.
TEST(Random, KnownValues) {
  Random zero(0);
  EXPECT_EQ(zero.draw(), 0xe220'a839'7b1d'cdafu);
  EXPECT_EQ(zero.draw(), 0x6e78'9e6a'a1b9'65f4u);
  EXPECT_EQ(zero.draw(), 0x06c4'5d18'8009'454fu);
  EXPECT_EQ(zero.draw(), 0xf88b'b8a8'724c'81ecu);
  Random other(1'234'567);
  EXPECT_EQ(other.draw(), 6'457'827'717'110'365'317u);
  EXPECT_EQ(other.draw(), 3'203'168'211'198'807'973u);
}

TEST(Random, TheSameSeedDrawsTheSame) {
  Random a(7), b(7), c(8);
  bool differs = false;
  for (int i = 0; i < 100; ++i) {
    const std::uint64_t x = a.draw();
    ASSERT_EQ(x, b.draw());
    differs = differs || x != c.draw();
  }
  EXPECT_TRUE(differs);
}

TEST(Random, BelowIsUniform) {
  Random random(1);
  std::vector<unsigned> counts(10);
  for (int i = 0; i < 100'000; ++i) ++counts[random.below(10)];
  for (const unsigned n : counts) EXPECT_NEAR(n, 10'000, 500);
  EXPECT_EQ(random.below(1), 0u);
}

TEST(Random, AUnitDrawIsInTheHalfOpenInterval) {
  EXPECT_EQ(unit(0), 0);
  EXPECT_LT(unit(~std::uint64_t{0}), 1);
  EXPECT_EQ(unit(std::uint64_t{1} << 63), 0.5);
}

}  // namespace
}  // namespace steward::analyze
