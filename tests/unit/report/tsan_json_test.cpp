#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "report/json.h"
#include "report/tsan.h"

#include "sample.h"

namespace steward::report {
namespace {

TEST(Tsan, TheSample) {
  EXPECT_EQ(tsan_race(sample_race()), R"(==================
WARNING: ThreadSanitizer: data race (pid=4711)
  Write of size 4 at 0x7b0400000010 by thread T2 (mutexes: write M7):
    #0 Account::add(int) /src/account.cpp:12:11 (app+0x120c)
    #1 pay(Account&) /src/pay.cpp:30:3 (app+0x121e)
    #2 worker /src/pay.cpp:41 (app+0x1229)

  Previous read of size 4 at 0x7b0400000010 by main thread:
    #0 Account::balance() const /src/account.cpp:20:10 (app+0x1214)
    #1 main /src/main.cpp:8:5 (app+0x1208)

  Location is heap block of size 24 at 0x7b0400000000 allocated by main thread:
    #0 make_account() /src/account.cpp:3:12 (app+0x1203)
    #1 main /src/main.cpp:5:9 (app+0x1205)

  Mutex M7 (0x7b0400000100) created at:
    #0 worker /src/pay.cpp:39:3 (app+0x1227)

  Thread T2 'payer' (tid=4713, running) created by main thread at:
    #0 main /src/main.cpp:6:3 (app+0x1206)

SUMMARY: ThreadSanitizer: data race /src/account.cpp:12:11 in Account::add(int)
==================
)");
}

TEST(Tsan, WhatIsNotKnown) {
  Race race = sample_race();
  race.accesses[0].stack[0] = {};
  race.accesses[0].stack[0].module = "/lib/libx.so";
  race.accesses[0].stack[0].offset = 0x99;
  race.accesses[1].stack.clear();
  race.accesses[1].kind = AccessKind::AtomicRead;
  const std::string text = tsan_race(race);
  EXPECT_NE(text.find("    #0 <null> <null> (libx.so+0x99)\n"), std::string::npos);
  EXPECT_NE(text.find("  Previous atomic read of size 4 at 0x7b0400000010 by main thread:\n"
                      "    [failed to restore the stack]\n"),
            std::string::npos);
  EXPECT_NE(text.find("SUMMARY: ThreadSanitizer: data race (libx.so+0x99)\n"), std::string::npos);
}

TEST(Tsan, Closing) {
  Report report;
  EXPECT_EQ(tsan_closing(report), "");
  report.races.resize(2);
  EXPECT_EQ(tsan_closing(report), "ThreadSanitizer: reported 2 warnings\n");
}

using nlohmann::json;

Report sample_report() {
  Report report;
  report.tool = "fasttrack";
  report.races.push_back(sample_race());
  report.threads = report.races[0].threads;
  report.processes.push_back({4711, "fasttrack", "/opt/app/bin/app", {"./app", "-n"}, true, true});
  report.run = {{"./app", "-n"}, 0, std::nullopt, 0.5};
  report.stats["reads"] = 10;
  return report;
}

TEST(Json, TheSample) {
  Suppressions suppressions;
  suppressions.parse("race:pay\nrace:never\n", "s");
  suppressions.matches(sample_race());
  const json j = json::parse(json_report(sample_report(), suppressions));
  EXPECT_EQ(j["version"], 1);
  EXPECT_EQ(j["tool"], "fasttrack");
  EXPECT_EQ(j["incomplete"], false);
  const json& race = j["races"][0];
  EXPECT_EQ(race["fingerprint"], "0123456789abcdef");
  EXPECT_EQ(race["count"], 1);
  EXPECT_EQ(race["accesses"][0]["kind"], "write");
  EXPECT_EQ(race["accesses"][0]["size"], 4);
  EXPECT_EQ(race["accesses"][0]["address"], "0x7b0400000010");
  EXPECT_EQ(race["accesses"][0]["thread"], 2);
  EXPECT_EQ(race["accesses"][0]["locks"], json::array({7}));
  const json& f = race["accesses"][0]["stack"][0];
  EXPECT_EQ(f, json::parse(R"x({"function":"Account::add(int)","file":"/src/account.cpp","line":12,
    "column":11,"start_line":10,"module":"/opt/app/bin/app","offset":"0x120c","pc":"0x55550000120c",
    "inlined":true})x"));
  EXPECT_EQ(race["memory"]["kind"], "heap");
  EXPECT_EQ(race["memory"]["begin"], "0x7b0400000000");
  EXPECT_EQ(race["threads"], json::array({0, 2}));
  EXPECT_EQ(race["locks"][0]["kind"], "mutex");
  EXPECT_EQ(j["threads"][1]["name"], "payer");
  EXPECT_EQ(j["threads"][1]["parent"], 0);
  EXPECT_EQ(j["run"]["command"], json::array({"./app", "-n"}));
  EXPECT_EQ(j["run"]["exit_code"], 0);
  EXPECT_FALSE(j["run"].contains("signal"));
  EXPECT_EQ(j["run"]["processes"][0]["complete"], true);
  EXPECT_EQ(j["stats"]["reads"], 10);
  ASSERT_EQ(j["suppressions"].size(), 1U);
  EXPECT_EQ(j["suppressions"][0]["hits"], 1);
}

TEST(Json, NoRacesIsAnObjectTooAndBytesAreNoObstacle) {
  Report report;
  report.run.command = {"./\xFF"};
  const json j = json::parse(json_report(report, {}));
  EXPECT_TRUE(j["races"].is_array());
  EXPECT_TRUE(j["races"].empty());
  EXPECT_TRUE(j["stats"].is_object());
}

}  // namespace
}  // namespace steward::report
