#include "report/collect.h"

#include <gtest/gtest.h>
#include <map>

#include "sample.h"

namespace steward::report {
namespace {

// Names by address, without any file.
class FakeSymbolizer final : public Symbolizer {
 public:
  std::vector<SourceFrame> code(const std::string&, Address address) override {
    switch (address) {
      case 0xfff:
        return {{"inner", "a.c", 1, 2, 1}, {"outer", "a.c", 5, 2, 3}};
      case 0x1fff:
        return {{"main", "a.c", 9, 0, 7}};
      case 0x2fff:
        return {{"__libc_start_call_main", "", 0, 0, 0}};
      default:
        return {};
    }
  }
  std::optional<DataSymbol> data(const std::string&, Address address) override {
    if (address != 0x5004) return std::nullopt;
    return DataSymbol{"table", 0x5000, 16, {}, 0};
  }
};

const std::string kStart =
    R"({"type":"start","version":1,"pid":7,"tool":"fasttrack","exe":"/none","args":["./a"]})";
const std::string kModules =
    R"({"type":"module","path":"/none/app","begin":"0x10000","end":"0x20000","load":"0x10000"})"
    "\n"
    R"({"type":"module","path":"/x/libtsan.so.2","begin":"0x30000","end":"0x40000","load":"0x30000"})";
const std::string kThread =
    R"({"type":"thread","id":1,"os":8,"name":"w","parent":0,"stack":["0x12000"]})";
const std::string kRace =
    R"({"type":"race","address":"0x15004","size":4,"accesses":[)"
    R"({"kind":"write","address":"0x15004","size":4,"thread":1,"stack":["0x30100","0x11000","0x12000","0x13000"]},)"
    R"({"kind":"read","address":"0x15004","size":4,"thread":0,"stack":["0x12000"]}],"memory":{"kind":"global"}})";
const std::string kEnd = R"({"type":"end","races":1,"stats":{"reads":10}})";

std::string file(std::initializer_list<std::string> lines) {
  std::string out;
  for (const std::string& line : lines) out += line + "\n";
  return out;
}

struct Reader {
  FakeSymbolizer symbolizer;
  Suppressions suppressions;
  Collector collector{symbolizer, suppressions, Merge::ByStack};
  std::size_t news = 0;

  Report& read(const std::string& text, const std::string& name = "r.7") {
    Collector::Source source(name);
    LineSplitter lines;
    lines.feed(text);
    while (const auto line = lines.next()) {
      if (collector.take(source, *line).race != nullptr) ++news;
    }
    collector.close(source, lines.rest());
    return collector.report();
  }
};

TEST(Collector, NamesAndTrims) {
  Reader reader;
  const Report& report = reader.read(file({kStart, kModules, kThread, kRace, kEnd}));
  ASSERT_EQ(report.races.size(), 1U);
  EXPECT_EQ(report.tool, "fasttrack");
  EXPECT_FALSE(report.incomplete);
  EXPECT_TRUE(report.problems.empty());
  const Race& race = report.races[0];
  EXPECT_EQ(race.pid, 7);
  // our own frame above and libc's below are gone, the inlined one is told from its host
  const Stack& stack = race.accesses[0].stack;
  ASSERT_EQ(stack.size(), 3U);
  EXPECT_EQ(stack[0].function, "inner");
  EXPECT_TRUE(stack[0].inlined);
  EXPECT_EQ(stack[1].function, "outer");
  EXPECT_FALSE(stack[1].inlined);
  EXPECT_EQ(stack[2].function, "main");
  EXPECT_EQ(stack[0].offset, 0x1000U);
  EXPECT_EQ(race.memory.symbol, "table");
  EXPECT_EQ(race.memory.begin, 0x15000U);
  ASSERT_NE(race.thread(1), nullptr);
  EXPECT_EQ(race.thread(1)->name, "w");
  EXPECT_EQ(report.stats.at("reads"), 10);
}

TEST(Collector, TheSameRaceIsToldOnceAndCounted) {
  Reader reader;
  const Report& report =
      reader.read(file({kStart, kModules, kRace, kRace, kRace, R"({"type":"end","races":3})"}));
  EXPECT_EQ(report.races.size(), 1U);
  EXPECT_EQ(report.races[0].count, 3U);
  EXPECT_EQ(reader.news, 1U);
}

TEST(Collector, AProgramBringsItsOwnSuppressions) {
  Reader reader;
  const std::string rules = R"({"type":"suppressions","text":"race:outer\nnonsense\n"})";
  reader.read(file({kStart, rules, kModules, kRace, kEnd}));
  const Report& report = reader.read(file({kStart, rules, kModules, kRace, kEnd}), "r.8");
  EXPECT_TRUE(report.races.empty());
  EXPECT_EQ(report.suppressed, 2U);
  EXPECT_EQ(reader.suppressions.rules().size(), 1U);  // once, though two processes have them
  EXPECT_EQ(report.problems.size(), 1U);              // the line that is no rule
}

TEST(Collector, SuppressedRacesAreOnlyCounted) {
  Reader reader;
  reader.suppressions.parse("race:outer\n", "s");
  const Report& report = reader.read(file({kStart, kModules, kRace, kEnd}));
  EXPECT_TRUE(report.races.empty());
  EXPECT_EQ(report.suppressed, 1U);
  EXPECT_EQ(reader.suppressions.rules()[0].hits, 1U);
}

// A process may die at any byte. What was whole is used; that something is missing is said.
TEST(Collector, EveryPrefixOfAFile) {
  const std::string text = file({kStart, kModules, kThread, kRace, kEnd});
  const std::size_t race_end = text.find(kRace) + kRace.size() + 1;
  for (std::size_t n = 0; n <= text.size(); ++n) {
    Reader reader;
    const Report& report = reader.read(text.substr(0, n));
    EXPECT_EQ(report.races.size(), n >= race_end ? 1U : 0U) << n;
    EXPECT_EQ(report.incomplete, n < text.size()) << n;
    EXPECT_TRUE(report.problems.empty()) << n;
  }
}

TEST(Collector, ABrokenLineIsNamedAndTheRestIsUsed) {
  Reader reader;
  const Report& report =
      reader.read(file({kStart, kModules, "garbage", kRace, "[", "{", "}", "x", kEnd}));
  EXPECT_EQ(report.races.size(), 1U);
  EXPECT_TRUE(report.incomplete);
  ASSERT_EQ(report.problems.size(), 4U);
  EXPECT_EQ(report.problems[0], "r.7:4: not JSON; the line is left out");
  EXPECT_EQ(report.problems[3], "r.7: 5 broken lines in all");
}

TEST(Collector, RacesWithoutARecordAreMissed) {
  Reader reader;
  const Report& report =
      reader.read(file({kStart, kModules, kRace, R"({"type":"end","races":5})"}));
  EXPECT_TRUE(report.incomplete);
  EXPECT_EQ(report.problems.at(0), "r.7: 4 of 5 races have no record; is the disk full?");
}

TEST(Collector, ExecStartsAnew) {
  Reader reader;
  // the second image has no modules: nothing of the first may name its addresses
  const Report& report = reader.read(file({kStart, kModules, kStart, kRace, kEnd}));
  ASSERT_EQ(report.processes.size(), 2U);
  EXPECT_TRUE(report.processes[0].ended);
  EXPECT_FALSE(report.incomplete);
  EXPECT_EQ(report.races.at(0).accesses[0].stack[0].function, "");
}

TEST(Collector, ProcessesShareOneReport) {
  Reader reader;
  reader.read(file({kStart, kModules, kRace, kEnd}), "r.7");
  const Report& report = reader.read(file({kStart, kModules, kRace, kEnd}), "r.8");
  EXPECT_EQ(report.races.size(), 1U);
  EXPECT_EQ(report.races[0].count, 2U);
  EXPECT_EQ(report.stats.at("reads"), 20);
}

TEST(Collector, AFileThatHasChangedIsNotUsed) {
  Folder folder;
  if (!have("gcc")) GTEST_SKIP();
  const std::string c = folder.write("a.c", "int main(void) { return 0; }\n");
  ASSERT_TRUE(sh("gcc -Wl,--build-id " + c + " -o " + (folder / "a")));
  Reader reader;
  const std::string module = R"({"type":"module","path":")" + (folder / "a") +
                             R"(","begin":"0x10000","end":"0x20000","load":"0x10000",)"
                             R"("build_id":"0000"})";
  const Report& report = reader.read(file({kStart, module, kRace, kEnd}));
  EXPECT_EQ(report.races.at(0).accesses[0].stack[1].function, "");
  ASSERT_EQ(report.problems.size(), 1U);
  EXPECT_NE(report.problems[0].find("build-id has changed"), std::string::npos);
}

TEST(Modules, TheNewestOfTwoAtOnePlace) {
  Modules modules;
  modules.add({"/old", 0x1000, 0x2000, 0x1000, ""});
  modules.add({"/new", 0x1000, 0x2000, 0x1000, ""});
  EXPECT_EQ(modules.find(0x1000)->path, "/new");
  EXPECT_EQ(modules.find(0x2000), nullptr);
}

}  // namespace
}  // namespace steward::report
