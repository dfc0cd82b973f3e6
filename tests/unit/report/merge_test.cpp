#include "report/merge.h"

#include <gtest/gtest.h>

#include "report/fingerprint.h"

#include "sample.h"

namespace steward::report {
namespace {

bool same(const Race& a, const Race& b, Merge merge) {
  return merge_key(a, merge) == merge_key(b, merge);
}

TEST(Merge, NeitherAddressesNorOrderNorKindsMatter) {
  const Race a = sample_race();
  Race b = a;
  b.address += 64;
  b.accesses[0].stack[0].pc += 0x1000;
  b.accesses[0].stack[0].offset += 0x1000;
  b.accesses[0].kind = AccessKind::Read;
  std::swap(b.accesses[0], b.accesses[1]);
  EXPECT_TRUE(same(a, b, Merge::ByStack));
  EXPECT_EQ(fingerprint(a), fingerprint(b));
}

TEST(Merge, AnotherCallerIsAnotherRaceByStackOnly) {
  const Race a = sample_race();
  Race b = a;
  b.accesses[0].stack[1].line = 31;
  EXPECT_FALSE(same(a, b, Merge::ByStack));
  EXPECT_TRUE(same(a, b, Merge::ByTop));
}

TEST(Merge, ByLocation) {
  const Race a = sample_race();
  Race b = a;
  b.accesses[0].stack[0].line = 99;
  EXPECT_FALSE(same(a, b, Merge::ByTop));
  EXPECT_TRUE(same(a, b, Merge::ByLocation));
  b.memory.stack[0].line = 4;
  EXPECT_FALSE(same(a, b, Merge::ByLocation));
  Race c = a;
  Race d = b;
  for (Race* r : {&c, &d}) {
    r->memory = {};
    r->memory.symbol = "g";
  }
  EXPECT_TRUE(same(c, d, Merge::ByLocation));
}

TEST(Merge, FramesWithoutNamesByTheirPlaceInTheFile) {
  Race a = sample_race();
  Frame f;
  f.module = "/usr/lib/libx.so";
  f.offset = 0x10;
  f.pc = 0x7f10;
  a.accesses[0].stack = {f};
  Race b = a;
  b.accesses[0].stack[0].pc = 0x8f10;  // loaded elsewhere
  EXPECT_TRUE(same(a, b, Merge::ByStack));
  EXPECT_EQ(fingerprint(a), fingerprint(b));
  b.accesses[0].stack[0].offset = 0x20;
  EXPECT_FALSE(same(a, b, Merge::ByStack));
}

TEST(Merge, AFingerprintOutlivesEditsElsewhere) {
  const Race a = sample_race();
  Race b = a;
  // the function has moved down by 40 lines, the sources into another folder
  b.accesses[0].stack[0].line += 40;
  b.accesses[0].stack[0].start_line += 40;
  b.accesses[0].stack[0].file = "/home/me/account.cpp";
  EXPECT_EQ(fingerprint(a), fingerprint(b));
  EXPECT_EQ(fingerprint(a).size(), 16U);
  // an edit within it
  b.accesses[0].stack[0].line += 1;
  EXPECT_NE(fingerprint(a), fingerprint(b));
}

TEST(Merge, Names) {
  EXPECT_EQ(merge_named("stack"), Merge::ByStack);
  EXPECT_EQ(merge_named("location"), Merge::ByLocation);
  EXPECT_EQ(merge_named("x"), std::nullopt);
}

}  // namespace
}  // namespace steward::report
