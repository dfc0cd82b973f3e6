// HTML, Markdown and SARIF: what must hold of the text itself. The pages are opened in a browser,
// and SARIF is held against its schema, in tests of their own.
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "report/html.h"
#include "report/markdown.h"
#include "report/merge_runs.h"
#include "report/sarif.h"
#include "report/text.h"

#include "sample.h"

namespace steward::report {
namespace {

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

Report hostile() {
  Race race = sample_race();
  race.accesses[0].stack[0].function = "</script><script>alert(1)</script> | `x` @DATA@";
  race.threads[1].name = "<b>\x1b[2J|";
  race.memory.kind = MemoryKind::Global;
  race.memory.symbol = "a|b\n# title";
  Report report;
  report.tool = "fasttrack";
  report.races.push_back(race);
  report.run.command = {"./a b", "it's"};
  return report;
}

// What is between the tags of the data.
nlohmann::json data_of(const std::string& page) {
  const std::string open = "id=\"data\">";
  const std::size_t at = page.find(open) + open.size();
  return nlohmann::json::parse(page.substr(at, page.find("</script>", at) - at));
}

TEST(Html, NamesAreNoMarkup) {
  const std::string page = html_report(hostile());
  EXPECT_FALSE(has(page, "<script>alert"));
  const nlohmann::json data = data_of(page);
  EXPECT_EQ(data["frames"][0][0], "</script><script>alert(1)</script> | `x` @DATA@");
}

TEST(Html, LoadsNothing) {
  const std::string page = html_report(hostile());
  for (const char* reference : {"http:", "https:", "src=\"", "@import", "url("}) {
    EXPECT_FALSE(has(page, reference)) << reference;
  }
  EXPECT_TRUE(has(page, "default-src 'none'"));
}

TEST(Html, CommandsCanBePasted) {
  const nlohmann::json race = data_of(html_report(hostile()))["races"][0];
  EXPECT_EQ(race["reproduce"], R"(steward run -- './a b' 'it'\''s')");
}

TEST(Markdown, NamesAreNoMarkup) {
  const std::string text = markdown_report(hostile());
  // inside a fence everything is as it is
  EXPECT_FALSE(has(text.substr(0, text.find("\n```")), "<script>"));
  EXPECT_TRUE(has(text, "a\\|b"));
  EXPECT_FALSE(has(text, "\n# title"));
  // the fence is longer than what it encloses
  Report ticks = hostile();
  ticks.races[0].accesses[0].stack[0].function = "f````g";
  EXPECT_TRUE(has(markdown_report(ticks), "\n`````\n"));
}

TEST(Sarif, BothThreadsAreStepped) {
  const auto log = nlohmann::json::parse(sarif_report(hostile()));
  const auto& result = log["runs"][0]["results"][0];
  const auto& flows = result["codeFlows"][0]["threadFlows"];
  ASSERT_EQ(flows.size(), 2U);
  // the earlier thread first, from the outermost frame in
  EXPECT_EQ(flows[0]["id"], "main thread");
  EXPECT_EQ(flows[0]["locations"][0]["location"]["message"]["text"], "in main");
  EXPECT_EQ(flows[0]["locations"][1]["location"]["physicalLocation"]["region"]["startLine"], 20);
  EXPECT_EQ(flows[1]["locations"][2]["location"]["physicalLocation"]["region"]["startLine"], 12);
  EXPECT_EQ(result["partialFingerprints"]["steward/v1"], "0123456789abcdef");
}

TEST(Sarif, TellsADisciplineFromARace) {
  Report report = hostile();
  report.races[0].discipline.emplace().ordered = true;
  const auto run = nlohmann::json::parse(sarif_report(report))["runs"][0];
  ASSERT_EQ(run["tool"]["driver"]["rules"].size(), 2u);
  EXPECT_EQ(run["tool"]["driver"]["rules"][1]["id"], "lock-discipline");
  EXPECT_EQ(run["results"][0]["ruleId"], "lock-discipline");
  EXPECT_EQ(run["results"][0]["level"], "warning");
  const std::string text = run["results"][0]["message"]["text"];
  EXPECT_EQ(text.find("No common lock"), 0u) << text;
  EXPECT_TRUE(has(text, "not a happens-before race in this run")) << text;
}

TEST(Sarif, FilesAreUris) {
  Report report = hostile();
  report.races[0].accesses[0].stack[0].file = "/src/a b%#.cpp";
  EXPECT_TRUE(has(sarif_report(report), "file:///src/a%20b%25%23.cpp"));
}

TEST(TextReport, SamplingVerdictsAndBaselines) {
  Report sampled = hostile();
  sampled.tool = "pacer";
  sampled.sampling_rate = 0.03;
  sampled.races[0].verdict.emplace();
  sampled.races[0].verdict->harm = Harm::Destructive;
  sampled.races[0].verdict->summary = "it crashed";
  RunMerger merger;
  merger.add(sampled);
  sampled.races.clear();
  merger.add(sampled);
  Report merged = merger.finish();
  compare(merged, {});
  const std::string text = text_report(merged, {});
  EXPECT_TRUE(has(text, "  verdict: destructive: it crashed\n")) << text;
  EXPECT_TRUE(
      has(text, "  new; seen in 1 of 2 runs at a sampling rate of 3%; happens in about 100%"))
      << text;
  EXPECT_TRUE(has(text, "1 data race (1 new, 1 destructive) in 2 runs at a sampling rate of 3%"))
      << text;
}

}  // namespace
}  // namespace steward::report
