#include "trace/names.h"

#include <gtest/gtest.h>

namespace steward::trace {
namespace {

TEST(NameTable, GivesIdsInOrder) {
  NameTable t(100, 16);
  EXPECT_EQ(t.intern("a"), 100u);
  EXPECT_EQ(t.intern("b"), 116u);
  EXPECT_EQ(t.intern("a"), 100u);
  EXPECT_EQ(t.name_of(116), "b");
  EXPECT_EQ(t.name_of(117), "");
  EXPECT_EQ(t.id_of("b"), 116u);
  EXPECT_EQ(t.id_of("c"), std::nullopt);
}

TEST(NameTable, SkipsIdsThatWereNamed) {
  NameTable t(0, 1);
  EXPECT_TRUE(t.define(0, "zero"));
  EXPECT_TRUE(t.define(1, "one"));
  EXPECT_EQ(t.intern("two"), 2u);
}

TEST(NameTable, AnIdKeepsItsFirstName) {
  NameTable t(0, 1);
  EXPECT_TRUE(t.define(5, "a"));
  EXPECT_FALSE(t.define(5, "b"));
  EXPECT_FALSE(t.define(6, ""));
  EXPECT_EQ(t.name_of(5), "a");
  EXPECT_EQ(t.size(), 1u);
}

TEST(NameTable, TheSameNameTwiceIsToldApart) {
  NameTable t(0, 1);
  t.define(1, "worker");
  t.define(2, "worker");
  EXPECT_EQ(t.name_of(2), "worker#2");
  EXPECT_EQ(t.id_of("worker"), 1u);
  // Even when the new name is taken as well.
  t.define(3, "worker#4");
  t.define(4, "worker");
  EXPECT_EQ(t.name_of(4), "worker#4#4");
}

TEST(NameTable, CutsLongNames) {
  NameTable t(0, 1);
  const std::string name(3 * kMaxNameLength, 'x');
  EXPECT_TRUE(t.define(1, name));
  EXPECT_TRUE(t.define(2, name));
  EXPECT_LE(t.name_of(1).size(), kMaxNameLength);
  EXPECT_LE(t.name_of(2).size(), kMaxNameLength);
  EXPECT_NE(t.name_of(1), t.name_of(2));
}

TEST(NameTable, HoldsMany) {
  NameTable t(1, 1);
  for (int i = 0; i < 50'000; ++i) t.intern("name" + std::to_string(i));
  EXPECT_EQ(t.size(), 50'000u);
  for (std::uint64_t i = 0; i < 50'000; ++i) {
    const std::string name = "name" + std::to_string(i);
    EXPECT_EQ(t.id_of(name), i + 1);
    EXPECT_EQ(t.name_of(i + 1), name);
    EXPECT_EQ(t.index_of(i + 1), i);
  }
}

TEST(Names, PrintsNumbersThatHaveNoName) {
  const Names names;
  EXPECT_EQ(names.thread(ThreadId{7}), "T7");
  EXPECT_EQ(names.thread(kAllThreads), "*");
  EXPECT_EQ(names.variable(0x1000), "0x1000");
  EXPECT_EQ(names.sync(SyncId{0x20}), "0x20");
  EXPECT_EQ(names.site(SiteId{12}), "#12");
  EXPECT_EQ(names.site(kNoSite), "");
  EXPECT_EQ(names.function(FunctionId{3}), "#3");
}

TEST(Names, PrintsPartsOfNamedVariables) {
  Names names;
  const Address v1 = names.variables().intern("V1");
  const Address v2 = names.variables().intern("V2");
  EXPECT_EQ(v1, kNamedBase);
  EXPECT_EQ(v2, kNamedBase + kNamedStride);
  EXPECT_EQ(names.variable(v1), "V1");
  EXPECT_EQ(names.variable(v1 + 15), "V1+15");
  EXPECT_EQ(names.variable(v2), "V2");
  EXPECT_EQ(names.variable(v2 + 16), "0x4000000000000020");
}

TEST(Names, MessagesStayOnOneLine) {
  Names names;
  names.threads().define(1, "a\nb");
  EXPECT_EQ(names.thread(ThreadId{1}), "a?b");
}

TEST(Names, KnowsWhichIdsCanBeNamed) {
  EXPECT_TRUE(valid_id(NameKind::Thread, 0xffff'fffe));
  EXPECT_FALSE(valid_id(NameKind::Thread, 0xffff'ffff));
  EXPECT_FALSE(valid_id(NameKind::Site, 0));
  EXPECT_TRUE(valid_id(NameKind::Site, 0xffff'ffff));
  EXPECT_TRUE(valid_id(NameKind::Variable, kAddressEnd - 1));
  EXPECT_FALSE(valid_id(NameKind::Sync, kAddressEnd));
  EXPECT_FALSE(valid_id(NameKind::Function, 1ull << 32));
}

}  // namespace
}  // namespace steward::trace
