#include "report/text.h"

#include <algorithm>
#include <gtest/gtest.h>

#include "sample.h"

namespace steward::report {
namespace {

std::string printed(const Race& race, TextOptions options = {}) {
  return TextPrinter(options).race(race);
}

TEST(Text, TheSample) {
  EXPECT_EQ(
      printed(sample_race()),
      R"(steward: data race on a heap block of 24 bytes: write by T2 'payer' in Account::add(int), earlier read by main thread in Account::balance() const; main thread holds no lock

  write of 4 bytes at 0x7b0400000010 by T2 'payer', holding M7:
    #0  Account::add(int) (inlined)  /src/account.cpp:12:11
    #1  pay(Account&)                /src/pay.cpp:30:3
    #2  worker                       /src/pay.cpp:41
  earlier read of 4 bytes at 0x7b0400000010 by main thread:
    #0  Account::balance() const     /src/account.cpp:20:10
    #1  main                         /src/main.cpp:8:5
  where: a heap block of 24 bytes at 0x7b0400000000, 16 bytes into it, allocated by main thread:
    #0  make_account()               /src/account.cpp:3:12
    #1  main                         /src/main.cpp:5:9
  M7: mutex at 0x7b0400000100, first seen:
    #0  worker                       /src/pay.cpp:39:3
  T2 'payer' (tid 4713), created by main thread:
    #0  main                         /src/main.cpp:6:3

SUMMARY: Steward: data race /src/account.cpp:12 in Account::add(int)

)");
}

std::string headline(const Race& race) {
  const std::string text = printed(race);
  return text.substr(0, text.find('\n'));
}

TEST(Text, TheFirstLineGivesTheCause) {
  Race race = sample_race();
  race.accesses[1].stack_lost = true;
  EXPECT_TRUE(headline(race).ends_with("; the lock T2 'payer' holds does not order them"));
  race.accesses[0].locks.clear();
  EXPECT_TRUE(headline(race).ends_with("; T2 'payer' holds no lock"));
  race.accesses[1].stack_lost = false;
  EXPECT_TRUE(headline(race).ends_with("; neither holds a lock"));
  race.accesses[1].kind = AccessKind::AtomicRead;
  EXPECT_TRUE(headline(race).ends_with("; the write is not atomic"));
  race = sample_race();
  race.accesses[1].locks = {9};
  EXPECT_TRUE(headline(race).ends_with("; they hold different locks"));
  race.accesses[1].locks = {9, 7};
  EXPECT_TRUE(headline(race).ends_with("; both hold M7, but not so that it orders them"));
  race.locks[0].kind = "rwlock";
  EXPECT_TRUE(headline(race).ends_with("; both hold M7 for reading, which orders nothing"));
}

TEST(Text, ABrokenDisciplineSaysWhetherItIsARace) {
  Race race = sample_race();
  race.memory = {};
  race.memory.kind = MemoryKind::Heap;
  race.memory.begin = race.address - 8;
  race.memory.size = 48;
  race.size = 4;
  race.discipline = Discipline{true, {7}, {9}, {0, 9}};
  std::string text = printed(race);
  EXPECT_EQ(text.find("data race"), std::string::npos);
  EXPECT_TRUE(headline(race).starts_with("steward: no common lock on a heap block of 48 bytes: "));
  EXPECT_TRUE(headline(race).ends_with("; they hold different locks"));
  EXPECT_NE(text.find("  protected by: M7; earlier M9; every access before: atomicity, M9\n"
                      "  field: bytes 8 to 11 of 48\n"
                      "  not a happens-before race: "),
            std::string::npos);
  race.discipline = Discipline{false, {}, {9}, {9}};
  EXPECT_TRUE(headline(race).ends_with(
      "; T2 'payer' holds M7 for reading, which does not protect a write"));
  EXPECT_NE(printed(race).find("  also a happens-before race: "), std::string::npos);
  race.accesses[0].locks.clear();
  EXPECT_TRUE(headline(race).ends_with("; T2 'payer' holds no lock"));
  race.discipline = Discipline{false, {7, 9}, {9}, {7}};
  EXPECT_TRUE(headline(race).ends_with("; no lock is common to all accesses"));
  Report report;
  report.races = {race, sample_race()};
  EXPECT_NE(closing_text(report).find("1 data race, 1 pair of accesses without a common lock, 1 of "
                                      "them a happens-before race in this run"),
            std::string::npos);
}

TEST(Text, EveryKindOfMemory) {
  Race race = sample_race();
  race.memory = {};
  EXPECT_NE(printed(race).find("data race on 0x7b0400000010:"), std::string::npos);
  race.memory.kind = MemoryKind::Stack;
  race.memory.thread = 2;
  EXPECT_NE(printed(race).find("  where: the stack of T2 'payer'\n"), std::string::npos);
  race.memory.kind = MemoryKind::Tls;
  EXPECT_NE(printed(race).find("  where: thread-local memory of T2 'payer'\n"), std::string::npos);
  race.memory.kind = MemoryKind::Fd;
  race.memory.fd = 5;
  EXPECT_NE(printed(race).find("  where: file descriptor 5, opened by T2 'payer'\n"),
            std::string::npos);
  race.memory = {};
  race.memory.kind = MemoryKind::Global;
  EXPECT_NE(printed(race).find("data race on a global:"), std::string::npos);
  race.memory.symbol = "g_table";
  race.memory.module = "/opt/app/bin/app";
  race.memory.begin = 0x7b0400000000;
  race.memory.size = 64;
  EXPECT_NE(printed(race).find("  where: global 'g_table' of 64 bytes at 0x7b0400000000, 16 bytes "
                               "into it, in app\n"),
            std::string::npos);
}

TEST(Text, ALostStackIsSaidToBeLost) {
  Race race = sample_race();
  race.accesses[1].stack.clear();
  race.accesses[1].stack_lost = true;
  EXPECT_NE(printed(race).find("its stack is no longer known"), std::string::npos);
}

TEST(Text, TheSameStackTwiceIsShownOnce) {
  Race race = sample_race();
  race.accesses[1].stack = race.accesses[0].stack;
  EXPECT_NE(printed(race).find("    the same stack as above\n"), std::string::npos);
}

TEST(Text, ADeepStackFitsAScreen) {
  Race race = sample_race();
  for (Access& access : race.accesses) {
    while (access.stack.size() < 300) {
      access.stack.insert(access.stack.begin() + 1, frame("recurse(int)", "/src/deep.cpp", 7, 1));
    }
  }
  const std::string text = printed(race);
  EXPECT_LE(std::count(text.begin(), text.end(), '\n'), 40);
  EXPECT_NE(text.find("    ... 293 more\n    #299 worker"), std::string::npos) << text;
  const std::string all = printed(race, {false, true, true});
  EXPECT_GE(std::count(all.begin(), all.end(), '\n'), 600);
}

TEST(Text, HoweverMuchThereIsItFitsAScreen) {
  Folder folder;
  const std::string file = folder.write("a.cpp", "\n\n\n\n\n\nint x;\n");
  Race race = sample_race();
  Report report;
  report.batches.push_back({"fasttrack", 1, {"./app"}, "", 9, 0});
  race.seen = {{0, 3}};
  race.frequency.emplace();
  race.verdict.emplace();
  race.verdict->evidence.assign(20, "more");
  race.verdict->replay = "again";
  for (std::uint32_t id = 10; id < 30; ++id) {
    race.locks.push_back({id, 0x10, "mutex", Stack(9, frame("f", file, 7, 1))});
    race.accesses[0].locks.push_back(id);
  }
  for (unsigned i = 0; i < 50; ++i) {
    for (Access& access : race.accesses)
      access.stack.insert(access.stack.begin(), frame("f" + std::to_string(i), file, 7, 1));
    race.memory.stack.push_back(frame("alloc", file, 7, 1));
    race.threads[1].stack.push_back(frame("create", file, 7, 1));
  }
  const std::string text = TextPrinter({}).race(race, &report);
  EXPECT_LE(std::count(text.begin(), text.end(), '\n'), 40) << text;
  EXPECT_NE(text.find("int x;"), std::string::npos);
  EXPECT_NE(text.find("more locks"), std::string::npos);
  // what is known of both accesses stays
  EXPECT_NE(text.find("earlier read"), std::string::npos);
  EXPECT_NE(text.find("worker"), std::string::npos);
}

TEST(Text, SourceLinesWithACaret) {
  Folder folder;
  Race race = sample_race();
  race.accesses[0].stack[0].file =
      folder.write("a.cpp", "int x;\nvoid f() {\n\t\tx += 1; // \xC3\xBC\n}\n");
  race.accesses[0].stack[0].line = 3;
  race.accesses[0].stack[0].column = 5;
  EXPECT_NE(printed(race).find("        3 |   x += 1; // \xC3\xBC\n          |     ^\n"),
            std::string::npos)
      << printed(race);
  // newer than the program: no such line, no such column
  race.accesses[0].stack[0].column = 500;
  EXPECT_EQ(printed(race).find('^'), std::string::npos);
  race.accesses[0].stack[0].line = 900;
  EXPECT_EQ(printed(race).find(" | "), std::string::npos);
}

TEST(Text, NamesCannotSteerTheTerminal) {
  Race race = sample_race();
  race.threads[1].name = "\x1b[2J";
  race.accesses[0].stack[0].function = "f\x07";
  race.memory.kind = MemoryKind::Global;
  race.memory.symbol = "\x1b]0;x";
  const std::string text = printed(race);
  EXPECT_EQ(text.find('\x1b'), std::string::npos);
  EXPECT_EQ(text.find('\x07'), std::string::npos);
}

TEST(Text, ColourOnlyWhenWanted) {
  EXPECT_EQ(printed(sample_race()).find('\x1b'), std::string::npos);
  EXPECT_NE(printed(sample_race(), {true, false, true}).find("\x1b[1;31mdata race\x1b[0m"),
            std::string::npos);
}

TEST(Closing, CountsAndComplaints) {
  Report report;
  EXPECT_EQ(closing_text(report), "");
  report.stats = {{"slots_forced", 2}, {"threads_unchecked", 1}};
  EXPECT_EQ(closing_text(report),
            "steward: out of thread clocks 2 times: races with accesses of long ago may have been "
            "missed\nsteward: 1 thread was not checked: too many at once\n");
  report.stats.clear();
  report.races.push_back(sample_race());
  EXPECT_EQ(closing_text(report), "steward: 1 data race\n");
  report.races[0].count = 5;
  report.suppressed = 2;
  report.problems = {"r.1:2: not JSON; the line is left out"};
  report.incomplete = true;
  report.processes.emplace_back();
  EXPECT_EQ(closing_text(report),
            "steward: r.1:2: not JSON; the line is left out\n"
            "steward: 1 data race, seen 5 times; 2 suppressed\n"
            "steward: the report is incomplete: a process ended without its last record\n");
}

TEST(Closing, SuppressionsAndStatistics) {
  Suppressions s;
  EXPECT_EQ(suppressions_text(s), "steward: there are no suppressions\n");
  s.parse("race:pay\nrace:never\n", "s.txt");
  s.matches(sample_race());
  EXPECT_EQ(suppressions_text(s),
            "steward: matches of suppressions:\n       1 race:pay (s.txt:1)\n"
            "       0 race:never (s.txt:2)\n");
  Report report;
  report.stats = {{"reads", 12}, {"writes_same_epoch", 3}};
  EXPECT_EQ(stats_text(report),
            "steward: statistics:\n  reads              12\n  writes_same_epoch  3\n");
}

}  // namespace
}  // namespace steward::report
