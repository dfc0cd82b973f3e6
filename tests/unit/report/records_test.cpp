#include "report/records.h"

#include <gtest/gtest.h>
#include <random>

#include "report/utf8.h"

namespace steward::report {
namespace {

template <class T>
T parsed(const std::string& line) {
  const ParsedLine p = parse_record(line);
  EXPECT_EQ(p.error, "");
  EXPECT_TRUE(p.record && std::holds_alternative<T>(*p.record)) << line;
  return p.record && std::holds_alternative<T>(*p.record) ? std::get<T>(*p.record) : T();
}

TEST(Records, Start) {
  const auto r = parsed<StartRecord>(
      R"({"type":"start","version":1,"pid":123,"tool":"fasttrack","exe":"/a b","args":["./a","-x"]})");
  EXPECT_EQ(r.pid, 123);
  EXPECT_EQ(r.tool, "fasttrack");
  EXPECT_EQ(r.exe, "/a b");
  EXPECT_EQ(r.args, (std::vector<std::string>{"./a", "-x"}));
}

TEST(Records, RaceWithAllItsParts) {
  const auto r = parsed<RaceRecord>(
      R"({"type":"race","address":"0x10","size":4,"accesses":[)"
      R"({"kind":"atomic write","address":"0x10","size":4,"thread":2,"stack":["0x1","0xffffffffffffffff"],"locks":[1]},)"
      R"({"kind":"read","address":"0x12","size":2,"thread":0,"stack":[],"stack_lost":true}],)"
      R"("memory":{"kind":"heap","begin":"0x8","size":24,"thread":0,"stack":["0x5"]},)"
      R"("locks":[{"id":1,"address":"0x99","kind":"mutex","stack":["0x7"]}]})");
  ASSERT_EQ(r.accesses.size(), 2U);
  EXPECT_EQ(r.accesses[0].kind, AccessKind::AtomicWrite);
  EXPECT_EQ(r.accesses[0].stack, (RawStack{1, ~Address{0}}));
  EXPECT_EQ(r.accesses[0].locks, (std::vector<std::uint32_t>{1}));
  EXPECT_TRUE(r.accesses[1].stack_lost);
  EXPECT_EQ(r.memory.kind, MemoryKind::Heap);
  EXPECT_EQ(r.memory.thread, 0U);
  EXPECT_EQ(r.locks.at(0).address, 0x99U);
}

TEST(Records, AFindingOfTheLocksetTool) {
  const auto r =
      parsed<RaceRecord>(R"({"type":"race","accesses":[{"kind":"read"},{"kind":"write"}],)"
                         R"("lockset":{"ordered":true,"later":[],"earlier":[3],"common":[0,3]}})");
  ASSERT_TRUE(r.discipline);
  EXPECT_TRUE(r.discipline->ordered);
  EXPECT_TRUE(r.discipline->later.empty());
  EXPECT_EQ(r.discipline->earlier, (std::vector<std::uint32_t>{3}));
  EXPECT_EQ(r.discipline->common, (std::vector<std::uint32_t>{0, 3}));
}

TEST(Records, MemoryOfALaterVersionIsUnknown) {
  const auto r = parsed<RaceRecord>(
      R"({"type":"race","accesses":[{"kind":"read"},{"kind":"write"}],"memory":{"kind":"gpu"}})");
  EXPECT_EQ(r.memory.kind, MemoryKind::Unknown);
}

TEST(Records, AByteEscapedIsThatByte) {
  // "é" in UTF-8, byte by byte, and a lone Latin-1 one
  EXPECT_EQ(parsed<ModuleRecord>(R"({"type":"module","path":"/\u00c3\u00a9"})").path, "/\xC3\xA9");
  EXPECT_EQ(parsed<ModuleRecord>(R"({"type":"module","path":"/\u00e9"})").path, "/\xE9");
}

TEST(Records, BytesThatAreNotUtf8DoNotLoseTheLine) {
  EXPECT_EQ(parsed<ThreadRecord>("{\"type\":\"thread\",\"id\":3,\"name\":\"a\xFF\"}").id, 3U);
}

struct Bad {
  const char* line;
  const char* error;
};
class BadRecord : public testing::TestWithParam<Bad> {};

TEST_P(BadRecord, IsOneClearMessage) {
  const ParsedLine p = parse_record(GetParam().line);
  EXPECT_FALSE(p.record);
  EXPECT_EQ(p.error, GetParam().error);
}

INSTANTIATE_TEST_SUITE_P(
    All, BadRecord,
    testing::Values(
        Bad{"", "not JSON"}, Bad{"{\"type\":\"race\"", "not JSON"},
        Bad{"[1]", "expected an object"}, Bad{"{}", "a record has a \"type\""},
        Bad{R"({"type":5})", "\"type\" is not a string"},
        Bad{R"({"type":"start","version":2})",
            "records of version 2; this steward reads version 1"},
        Bad{R"({"type":"race","accesses":[]})", "a race has two accesses"},
        Bad{R"({"type":"race","accesses":[{"kind":"peek"}]})", "\"peek\" is no kind of access"},
        Bad{R"({"type":"module","begin":"12z"})", "\"begin\" is not an address such as \"0x7f00\""},
        Bad{R"({"type":"module","begin":"0x11111111111111111"})",
            "\"begin\" is not an address such as \"0x7f00\""},
        Bad{R"({"type":"thread","id":-1})", "\"id\" is not a number that fits"},
        Bad{R"({"type":"thread","id":4294967296})", "\"id\" is not a number that fits"},
        Bad{R"({"type":"thread","stack":"0x1"})", "\"stack\" is not an array"},
        Bad{R"({"type":"end","stats":{"a":"b"}})", "\"stats\" is not a number that fits"}));

TEST(Records, ATypeOfALaterVersionIsPassedOver) {
  const ParsedLine p = parse_record(R"({"type":"weather"})");
  EXPECT_FALSE(p.record);
  EXPECT_EQ(p.error, "");
}

// Whatever a broken disk makes of a line: an answer, no crash.
TEST(Records, DamagedLinesAreNoDanger) {
  const std::string good =
      R"({"type":"race","address":"0x10","size":4,"accesses":[{"kind":"write","stack":["0x1"]},)"
      R"({"kind":"read","locks":[1]}],"memory":{"kind":"fd","fd":3},"locks":[{"id":1}]})";
  std::mt19937 random(1);
  for (int i = 0; i < 4000; ++i) {
    std::string line = good;
    for (unsigned n = random() % 4; n < 4; ++n) {
      line[random() % line.size()] = static_cast<char>(random());
    }
    if (random() % 4 == 0) line.resize(random() % line.size());
    const ParsedLine p = parse_record(line);
    EXPECT_TRUE(p.error.empty() || !p.record);
  }
  EXPECT_EQ(parse_record(std::string(100000, '[')).error, "not JSON");
  EXPECT_EQ(parse_record(std::string(50000, '[') + std::string(50000, ']')).error,
            "expected an object");
}

TEST(LineSplitter, GivesLinesWhateverThePieces) {
  const std::string text = "one\n\ntwo\nrest";
  for (std::size_t piece = 1; piece <= text.size(); ++piece) {
    LineSplitter lines;
    std::vector<std::string> got;
    for (std::size_t at = 0; at < text.size(); at += piece) {
      lines.feed(std::string_view(text).substr(at, piece));
      while (const auto line = lines.next()) got.emplace_back(*line);
    }
    EXPECT_EQ(got, (std::vector<std::string>{"one", "", "two"}));
    EXPECT_EQ(lines.rest(), "rest");
  }
}

TEST(Utf8, WhatIsPrintedCannotSteerTheTerminal) {
  EXPECT_EQ(printable("a\x1b[31mb\n"), "a\xEF\xBF\xBD[31mb\xEF\xBF\xBD");
  EXPECT_EQ(printable("\xC2\x9B"), "\xEF\xBF\xBD");  // CSI in eight bits
  EXPECT_EQ(printable("gr\xC3\xBC\xC3\x9F"), "gr\xC3\xBC\xC3\x9F");
  EXPECT_EQ(valid_utf8("\xED\xA0\x80"), "\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD");  // a surrogate
  EXPECT_EQ(valid_utf8("\xC0\xAF"), "\xEF\xBF\xBD\xEF\xBF\xBD");                  // overlong
}

}  // namespace
}  // namespace steward::report
