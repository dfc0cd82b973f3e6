#include "trace/text_reader.h"

#include "trace_support.h"

namespace steward::trace {
namespace {

Event one(const std::string& line) {
  const ReadBack in = read_all(line);
  EXPECT_EQ(in.error, "") << line;
  EXPECT_EQ(in.events.size(), 1u) << line;
  return in.events.empty() ? Event{} : in.events[0];
}

constexpr ThreadId kT0{0};

TEST(TextReader, ReadsRapidLines) {
  const ReadBack in = read_all(
      "T0|fork(T1)|1\nT0|acq(L1)|2\nT0|w(V1)|345\nT0|rel(L1)|3\nT1|r(V1)|346\nT0|join(T1)|4\n");
  ASSERT_EQ(in.error, "");
  ASSERT_EQ(in.events.size(), 6u);
  EXPECT_EQ(in.reader->format(), Format::Text);
  EXPECT_EQ(in.events[0].kind, EventKind::Fork);
  EXPECT_EQ(in.events[0].target_thread(), ThreadId{1});
  EXPECT_EQ(in.events[1].kind, EventKind::Acquire);
  EXPECT_EQ(in.events[3].kind, EventKind::Release);
  EXPECT_EQ(in.events[1].sync(), in.events[3].sync());
  EXPECT_EQ(in.events[2].kind, EventKind::Write);
  EXPECT_EQ(in.events[2].address, kNamedBase);
  EXPECT_EQ(in.events[2].size, kDefaultAccessSize);
  EXPECT_EQ(in.reader->names().site(in.events[2].site), "345");
  EXPECT_EQ(in.events[4].address, kNamedBase);
  EXPECT_EQ(in.events[4].thread, ThreadId{1});
  EXPECT_EQ(in.events[5].kind, EventKind::Join);
}

TEST(TextReader, RapidBlocksAreFunctions) {
  const ReadBack in = read_all("T0|begin(B)|1\nT0|dummy(0)|2\nT0|end(B)|3\nT0|end|4\n");
  ASSERT_EQ(in.error, "");
  ASSERT_EQ(in.events.size(), 3u);
  EXPECT_EQ(in.events[0].kind, EventKind::Enter);
  EXPECT_EQ(in.events[1].kind, EventKind::Exit);
  EXPECT_EQ(in.events[0].target, in.events[1].target);
  EXPECT_EQ(in.events[2].kind, EventKind::ThreadEnd);
}

TEST(TextReader, ReadsSizesAndParts) {
  EXPECT_EQ(one("T0|r(0x1000,4)"),
            (Event{.kind = EventKind::Read, .thread = kT0, .address = 0x1000, .size = 4}));
  EXPECT_EQ(one("T0|w(V+4,2)"),
            (Event{.kind = EventKind::Write, .thread = kT0, .address = kNamedBase + 4, .size = 2}));
  EXPECT_EQ(one("T0|r(V+8)").size, 8u);
  EXPECT_EQ(one("T0|r(0xABC)").address, 0xabcu);
  EXPECT_EQ(one("T0|r(V+x)").address, kNamedBase) << "a + without digits is part of the name";
  EXPECT_EQ(one("T0|w(0x7fffffffffffffff,1)").address, kAddressEnd - 1);
  EXPECT_EQ(one("T0|w(0x10,0x20)").size, 0x20u);
}

TEST(TextReader, ReadsEveryOtherOperation) {
  EXPECT_EQ(one("*|sbegin"), (Event{.kind = EventKind::SampleBegin, .thread = kAllThreads}));
  EXPECT_EQ(one("T0|send()"), (Event{.kind = EventKind::SampleEnd, .thread = kT0}));
  EXPECT_EQ(one("T0|switch(T5)").target, 5u);
  EXPECT_EQ(one("T0|instr(1000)").size, 1000u);
  EXPECT_EQ(one("T0|stack(0x7000,4096)"),
            (Event{.kind = EventKind::Stack, .thread = kT0, .address = 0x7000, .size = 4096}));
  EXPECT_EQ(one("T0|syscall"), (Event{.kind = EventKind::SystemCall, .thread = kT0}));
  EXPECT_EQ(one("T0|ldref(0x10,32)").other, 32u);
  EXPECT_EQ(one("T0|stref(0x10,0x20)").other, 32u);
  EXPECT_EQ(one("T0|alloc(0x10,0)").kind, EventKind::Alloc);
  EXPECT_EQ(
      one("T0|move(0x10,0x20,4)"),
      (Event{.kind = EventKind::Move, .thread = kT0, .address = 0x10, .size = 4, .other = 0x20}));
  EXPECT_TRUE(one("T0|sys:w(0x10,8)|12").system);
  EXPECT_TRUE(one("T0|ar(0x10,8)|12").atomic);
}

TEST(TextReader, ReadsModes) {
  const auto is = [](const char* line, EventKind kind, SyncMode mode) {
    const Event e = one(line);
    EXPECT_EQ(e.kind, kind) << line;
    EXPECT_EQ(e.mode, mode) << line;
  };
  is("T0|acq(L)", EventKind::Acquire, SyncMode::Exclusive);
  is("T0|rel(L)", EventKind::Release, SyncMode::Exclusive);
  is("T0|relm(L)", EventKind::ReleaseMerge, SyncMode::Exclusive);
  is("T0|racq(L)", EventKind::Acquire, SyncMode::Shared);
  is("T0|rrel(L)", EventKind::ReleaseMerge, SyncMode::Shared);
  is("T0|rrels(L)", EventKind::Release, SyncMode::Shared);
  is("T0|vr(L)", EventKind::Acquire, SyncMode::Volatile);
  is("T0|vw(L)", EventKind::ReleaseMerge, SyncMode::Volatile);
  is("T0|vs(L)", EventKind::Release, SyncMode::Volatile);
}

TEST(TextReader, ToleratesBlanksCommentsAndCarriageReturns) {
  const ReadBack in =
      read_all("# a comment\r\n\r\n  \n\tT0 | r ( V1 , 4 ) | foo.c:12 \r\nT0|w(V1)|\nT0|r(V1)");
  ASSERT_EQ(in.error, "");
  ASSERT_EQ(in.events.size(), 3u);
  EXPECT_EQ(in.events[0].size, 4u);
  EXPECT_EQ(in.reader->names().site(in.events[0].site), "foo.c:12");
  EXPECT_EQ(in.events[1].site, kNoSite);
  EXPECT_EQ(in.events[0].address, in.events[2].address);
}

TEST(TextReader, LocationsMayHoldAnything) {
  const ReadBack in = read_all("T0|r(V)|operator|(a, b)\nT0|r(V)|%41%zz%2\nT0|r(V)|#12\n");
  ASSERT_EQ(in.error, "");
  EXPECT_EQ(in.reader->names().site(in.events[0].site), "operator|(a, b)");
  EXPECT_EQ(in.reader->names().site(in.events[1].site), "A%zz%2");
  EXPECT_EQ(in.events[2].site, SiteId{12});
}

TEST(TextReader, ThreadsAreTheirNumbersOrNamed) {
  EXPECT_EQ(one("T17|end").thread, ThreadId{17});
  EXPECT_EQ(one("T4294967294|end").thread, ThreadId{0xffff'fffe});
  for (const char* named : {"T4294967295", "T07", "T", "main", "T1x", "t1", "%541"}) {
    EXPECT_EQ(one(std::string(named) + "|end").thread, ThreadId{kNamedThreadBase}) << named;
  }
}

TEST(TextReader, DeclarationsGiveIds) {
  const ReadBack in = read_all(
      "@thread 5 main\n@var 0x1000 counter\n@sync 0x20 L\n@site 9 a b\n@function 3 f%28%29\n"
      "@thread 5 main\nmain|w(counter+4,64)|a b\nmain|acq(L)\nmain|enter(f%28%29)\n");
  ASSERT_EQ(in.error, "");
  ASSERT_EQ(in.events.size(), 3u);
  EXPECT_EQ(in.events[0].thread, ThreadId{5});
  EXPECT_EQ(in.events[0].address, 0x1004u);
  EXPECT_EQ(in.events[0].size, 64u);
  EXPECT_EQ(in.events[0].site, SiteId{9});
  EXPECT_EQ(in.events[1].address, 0x20u);
  EXPECT_EQ(in.events[2].target, 3u);
  EXPECT_EQ(in.reader->names().function(FunctionId{3}), "f()");
}

struct Broken {
  const char* line;
  const char* message;
};

TEST(TextReader, SaysWhatIsBroken) {
  const Broken table[] = {
      {"T0", "expected '|' after the thread, found the end of the line"},
      {"T0(r)", "expected '|' after the thread, found '(r)'"},
      {"|r(V)", "expected a thread, found nothing"},
      {"*|r(V)", "expected one thread, found '*|r(V)'"},
      {"T0|", "expected an operation (r, w, acq, rel, fork, join, ...), found the end of the line"},
      {"T0|read(V)", "expected an operation (r, w, acq, rel, fork, join, ...), found 'read'"},
      {"T0|switchswitch(V)",
       "expected an operation (r, w, acq, rel, fork, join, ...), found 'switchswitch'"},
      {"T0|R(V)", "expected an operation (r, w, acq, rel, fork, join, ...), found 'R'"},
      {"T0|sys:|3", "expected an operation (r, w, acq, rel, fork, join, ...), found 'sys:'"},
      {"T0|r", "expected (variable) or (variable,size), found the end of the line"},
      {"T0|r()", "expected (variable) or (variable,size), found '()'"},
      {"T0|r(V,1,2)", "expected (variable) or (variable,size), found '(V,1,2)'"},
      {"T0|r(V,1,2,3)", "expected at most three operands, found '3)'"},
      {"T0|r(V,)", "expected an operand, found '(V,)'"},
      {"T0|r(V", "expected ')' after the operands, found the end of the line"},
      {"T0|r(V|3", "expected ')' after the operands, found '|3'"},
      {"T0|r(a(b))", "expected ')' after the operands, found '(b))'"},
      {"T0|r(V)x", "expected '|' or the end of the line, found 'x'"},
      {"T0|r(V,x)", "expected a size, found 'x'"},
      {"T0|r(V,-1)", "expected a size, found '-1'"},
      {"T0|r(V,0)", "expected a size from 1 to 4294967295, found 'T0|r(V,0)'"},
      {"T0|r(0x10,4294967296)",
       "expected a size from 1 to 4294967295, found 'T0|r(0x10,4294967296)'"},
      {"T0|r(0xzz)", "expected an address, found '0xzz'"},
      {"T0|r(0x)", "expected an address, found '0x'"},
      {"T0|r(0x12345678123456781)", "expected an address, found '0x12345678123456781'"},
      {"T0|r(0x8000000000000000,1)",
       "expected a range that ends at or below 2^63, found 'T0|r(0x8000000000000000,1)'"},
      {"T0|r(0x7ffffffffffffffe,4)",
       "expected a range that ends at or below 2^63, found 'T0|r(0x7ffffffffffffffe,4)'"},
      {"T0|r(V,17)", "expected bytes within the 16 of a named variable, found 'V,17)'"},
      {"T0|r(V+9)", "expected bytes within the 16 of a named variable, found 'V+9)'"},
      {"T0|r(V+16,1)", "expected bytes within the 16 of a named variable, found 'V+16,1)'"},
      {"T0|r(V+01,1)", "expected an offset, found '01'"},
      {"T0|r(+1,1)", "expected a variable before '+', found '+1'"},
      {"T0|r(V+9223372036854775808,1)",
       "expected an offset below 2^63, found 'V+9223372036854775808'"},
      {"T0|acq", "expected (sync object), found the end of the line"},
      {"T0|acq(0x8000000000000000)",
       "expected a sync object below 2^63, found 'T0|acq(0x8000000000000000)'"},
      {"T0|acq(0xq)", "expected a sync object, found '0xq'"},
      {"T0|fork(T1,T2)", "expected (thread), found '(T1,T2)'"},
      {"T0|fork(*)", "expected a thread, found '*'"},
      {"T0|begin", "expected (function), found the end of the line"},
      {"T0|end(a,b)", "expected (function), found '(a,b)'"},
      {"T0|sbegin(1)", "expected no operand, found '(1)'"},
      {"T0|alloc(V)", "expected (variable,size), found '(V)'"},
      {"T0|free(0x10,9223372036854775807)",
       "expected a range that ends at or below 2^63, found 'T0|free(0x10,9223372036854775807)'"},
      {"T0|move(V,4)", "expected (variable,variable,size), found '(V,4)'"},
      {"T0|move(0x0,0x7ffffffffffffff0,17)",
       "expected a range that ends at or below 2^63, found "
       "'T0|move(0x0,0x7ffffffffffffff0,17)'"},
      {"T0|ldref(V)", "expected (variable,object), found '(V)'"},
      {"T0|ldref(V,o)", "expected an object, found 'o'"},
      {"T0|stref(V,0xffffffffffffffff)",
       "expected addresses below 2^63, found 'T0|stref(V,0xffffffffffffffff)'"},
      {"T0|instr(x)", "expected a count, found 'x'"},
      {"T0|instr()", "expected (count), found '()'"},
      {"T0|instr(18446744073709551615)",
       "expected a count below 2^63, found 'T0|instr(18446744073709551615)'"},
      {"T0|instr(18446744073709551616)", "expected a count, found '18446744073709551616'"},
      {"T0|r(V)|#0", "expected a site from #1 on, found '#0'"},
      {"@thing 1 x", "expected @thread, @var, @sync, @site or @function, found '@thing'"},
      {"@thread x y", "expected the number of an id, found 'x'"},
      {"@thread 4294967295 y", "expected an id of that kind, found '4294967295'"},
      {"@site 0 y", "expected an id of that kind, found '0'"},
      {"@var 0x8000000000000000 y", "expected an id of that kind, found '0x8000000000000000'"},
      {"@thread 1", "expected a name, found the end of the line"},
      {"@thread 2 other", "expected an id without a name, found '2'"},
      {"@thread 3 two", "expected a name not given before, found 'two'"},
      {"\x01\x02|r(V)\x7f", "expected '|' or the end of the line, found '\\x7f'"},
  };
  const std::string good = "@thread 2 two\nT0|w(V)|1\n";
  for (const Broken& b : table) {
    const ReadBack in = read_all(good + b.line + "\nT0|r(V)|2\n");
    EXPECT_EQ(in.error, std::string("in:3: ") + b.message) << b.line;
    EXPECT_EQ(in.events.size(), 1u) << b.line << ": all before the broken place are delivered";
  }
}

TEST(TextReader, RefusesNamesAndLinesWithoutEnd) {
  const std::string name(kMaxNameLength, 'x');
  EXPECT_EQ(read_all("T0|r(" + name + ")").error, "");
  EXPECT_EQ(read_all("T0|r(" + name + "y)").error,
            "in:1: expected a name of at most 65535 bytes, found '" + name.substr(0, 40) + "...'");
  EXPECT_EQ(read_all("@var 0x10 " + name + "y").error,
            "in:1: expected a name of at most 65535 bytes, found '" + name.substr(0, 40) + "...'");
  const std::string line = "T0|r(V)\nT0|r(V)|" + std::string(3 * kMaxLine, 'x');
  const ReadBack in = read_all(line);
  EXPECT_EQ(in.events.size(), 1u);
  EXPECT_EQ(in.error, "in:2: expected a line of at most 1048576 bytes, found 'T0|r(V)|" +
                          std::string(32, 'x') + "...'");
}

TEST(TextReader, TheLongestLineIsExact) {
  const std::string comment(kMaxLine, '#');
  EXPECT_EQ(read_all(comment + "\nT0|end\n").error, "");
  EXPECT_EQ(read_all(comment).error, "");
  const std::string message =
      "in:1: expected a line of at most 1048576 bytes, found '" + std::string(40, '#') + "...'";
  EXPECT_EQ(read_all(comment + "#\nT0|end\n").error, message);
  EXPECT_EQ(read_all(comment + "#").error, message);
}

TEST(TextReader, EndsWithoutEvents) {
  EXPECT_EQ(read_all("").error, "in: expected a trace, found nothing");
  EXPECT_EQ(read_all("\n").error, "");
  EXPECT_EQ(read_all("# only a comment").error, "");
  EXPECT_EQ(read_all("# only a comment").events.size(), 0u);
}

TEST(TextReader, LinesAcrossWindowsStayWhole) {
  std::string text;
  for (int i = 0; i < 60'000; ++i)
    text += "T" + std::to_string(i % 1000) + "|r(V)|" +
            std::string(static_cast<std::size_t>(i % 50), 'a') + "\n";
  const ReadBack in = read_all(text);
  EXPECT_EQ(in.error, "");
  ASSERT_EQ(in.events.size(), 60'000u);
  for (std::uint32_t i = 0; i < 60'000; ++i) EXPECT_EQ(in.events[i].thread, ThreadId{i % 1000});
  EXPECT_DOUBLE_EQ(in.reader->progress(), 1.0);
}

}  // namespace
}  // namespace steward::trace
