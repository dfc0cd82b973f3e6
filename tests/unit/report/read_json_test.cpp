#include "report/read_json.h"

#include <gtest/gtest.h>
#include <random>

#include "report/json.h"
#include "report/merge_runs.h"

#include "sample.h"

namespace steward::report {
namespace {

Report everything() {
  Report report;
  report.tool = "pacer";
  report.version = "9.9";
  report.settings = {{"rate", "3%"}};
  report.sampling_rate = 0.03;
  report.incomplete = true;
  Race race = sample_race();
  Verdict verdict;
  verdict.harm = Harm::Destructive;
  verdict.summary = "it crashed";
  verdict.evidence = {"one", "two"};
  verdict.variable = "Account::sum";
  verdict.model = "c++";
  verdict.heuristic = "oldest";
  verdict.seed = "42";
  verdict.replay = "steward classify ...";
  verdict.runs = 100;
  verdict.failures = 31;
  verdict.choices = 5;
  verdict.stale = 4;
  verdict.stale_read = {frame("r", "/r.c", 1)};
  verdict.stale_write = {frame("w", "/w.c", 2)};
  race.verdict = verdict;
  report.races.push_back(race);
  Race global = sample_race();
  global.fingerprint = "ffffffffffffffff";
  global.accesses[0].kind = AccessKind::AtomicWrite;
  global.accesses[1].stack_lost = true;
  global.memory = {};
  global.memory.kind = MemoryKind::Global;
  global.memory.symbol = "g";
  global.memory.module = "/app";
  global.memory.file = "/g.c";
  global.memory.line = 3;
  global.discipline = Discipline{true, {7}, {}, {0, 7}};
  report.races.push_back(global);
  report.threads = race.threads;
  report.messages.push_back({1, "warning", "", "careful", {frame("f", "/f.c", 1)}});
  report.problems = {"p"};
  report.suppressed = 3;
  report.processes.push_back({4711, "pacer", "/app", {"./app", "-n"}, true, true, "abcd", "gcc"});
  report.run = {{"./app", "-n"}, std::nullopt, 11, 0.5, "/here", "2026-01-31T12:00:00Z", "host"};
  report.stats["reads"] = -10;
  report.sources["/f.c"][7] = "int x;\t\"q\"";
  return report;
}

TEST(ReadJson, WhatWasWrittenIsRead) {
  const std::string text = json_report(everything(), {});
  JsonReader reader;
  const auto read = reader.read(text);
  ASSERT_TRUE(read.report) << read.error;
  EXPECT_EQ(json_report(*read.report, {}), text);
}

TEST(ReadJson, MergedReportsToo) {
  RunMerger merger;
  merger.add(everything());
  merger.add(everything());
  Report merged = merger.finish();
  compare(merged, merged);
  const std::string text = json_report(merged, {});
  JsonReader reader;
  const auto read = reader.read(text);
  ASSERT_TRUE(read.report) << read.error;
  EXPECT_EQ(json_report(*read.report, {}), text);
}

std::string error_of(const std::string& text) {
  JsonReader reader;
  const auto read = reader.read(text);
  return read.report ? "none" : read.error;
}

TEST(ReadJson, WhatIsWrongIsNamed) {
  EXPECT_TRUE(error_of("{\"version\": 1, \"races\": [").starts_with("not JSON, or cut short"));
  EXPECT_EQ(error_of("[]"), "not a JSON object");
  EXPECT_EQ(error_of("{}"), "no \"races\": not a report of 'steward run --json'");
  EXPECT_EQ(error_of(R"({"version": 2, "races": []})"),
            "\"version\" is 2; this steward reads version 1");
  EXPECT_EQ(error_of(R"({"version": 1, "races": 3})"), "\"races\" is not an array");
  EXPECT_EQ(error_of(R"({"version": 1, "races": [3]})"), "\"races\" is not an array of objects");
  EXPECT_EQ(error_of(R"({"version": 1, "races": [{}]})"), "a race has other than two \"accesses\"");
  EXPECT_EQ(error_of(R"({"version": 1, "races": [{"pid": 99999999999}]})"),
            "\"pid\" is not a number in range");
  EXPECT_EQ(error_of(R"({"version": 1, "races": [{"address": 12}]})"),
            "\"address\" is not an address");
  EXPECT_EQ(error_of(R"({"version": 1, "races": [{"address": "0x12g"}]})"),
            "\"address\" is not an address");
  EXPECT_EQ(error_of(R"({"version": 1, "races": [], "sampling_rate": 0})"),
            "\"sampling_rate\" is not above 0 and at most 1");
  EXPECT_EQ(error_of(R"({"version": 1, "races": [{"accesses": [{"kind": "touch"}]}]})"),
            "\"kind\" is 'touch', which is not known");
}

TEST(ReadJson, WhatIsMissingOrNotKnownIsNoObstacle) {
  EXPECT_EQ(error_of(R"({"version": 1, "races": [], "later": {"x": [1]}})"), "none");
}

TEST(ReadJson, BytesThatAreChangedCrashNothing) {
  const std::string text = json_report(everything(), {});
  std::mt19937_64 random(1);  // NOLINT: the same draws in every run
  JsonReader reader;
  for (int i = 0; i < 3000; ++i) {
    std::string broken = text;
    for (int k = 0; k < 3; ++k) {
      broken[random() % broken.size()] = "0\"{}[],:-9ex\\"[random() % 13];
    }
    const auto read = reader.read(broken);
    EXPECT_NE(read.report.has_value(), !read.error.empty());
    if (!read.report) continue;
    RunMerger merger;
    merger.add(*read.report);
    json_report(merger.finish(), {});
  }
}

TEST(ReadJson, CutAnywhereItIsAnErrorAndNoCrash) {
  const std::string text = json_report(everything(), {});
  JsonReader reader;
  for (std::size_t n = 0; n + 3 < text.size(); n += 7) {
    EXPECT_FALSE(reader.read(text.substr(0, n)).report) << n;
  }
}

}  // namespace
}  // namespace steward::report
