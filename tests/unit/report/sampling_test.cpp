// A sampling detector's counters on their way from the records to --stats.
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "cli/sampling_text.h"
#include "report/json.h"

namespace steward::report {
namespace {

Sampling recorded() {
  const ParsedLine line = parse_record(
      R"x({"type":"end","races":0,"sampling":{"rate_ppm":30000,"periods":200,"sampled_periods":5,)x"
      R"x("work":4000,"sampled_work":100,"activations":2,"spent_us":{"off":1500000,"order_only":0,)x"
      R"x("checked":20000,"sampled":310000},"rules":[)x"
      R"x({"name":"join, same version epoch (7.4)","sampling":1,"not_sampling":995},)x"
      R"x({"name":"join, concurrent (7.6)","sampling":9,"not_sampling":5},)x"
      R"x({"name":"copy shallow (7.1)","sampling":0,"not_sampling":1000}]}})x");
  const auto* end = line.record ? std::get_if<EndRecord>(&*line.record) : nullptr;
  return end != nullptr ? end->sampling.value_or(Sampling{}) : Sampling{};
}

TEST(Sampling, ProcessesAreSummed) {
  Sampling s = recorded();
  EXPECT_DOUBLE_EQ(s.rate, 0.03);
  s += recorded();
  EXPECT_DOUBLE_EQ(s.rate, 0.03);
  EXPECT_EQ(s.periods, 400U);
  EXPECT_EQ(s.sampled_periods, 10U);
  EXPECT_EQ(s.work, 8000U);
  EXPECT_EQ(s.sampled_work, 200U);
  EXPECT_EQ(s.activations, 4U);
  EXPECT_EQ(s.spent_us["off"], 3'000'000U);
  EXPECT_EQ(s.rules["join, concurrent (7.6)"].sampling, 18U);
  EXPECT_EQ(s.rules["join, concurrent (7.6)"].not_sampling, 10U);
}

TEST(Sampling, AsText) {
  EXPECT_EQ(
      cli::sampling_text(recorded()),
      R"(steward: sampling: 3% asked for, 2.5% of 4,000 synchronisation operations (work) sampled
  5 of 200 periods sampled; checks switched on 2 times
  processor time: 1.50 s without checks, 0.02 s with checks after sampled periods, 0.31 s in sampled periods
cost of the operations (PACER paper, Table 3)
                               sampling      sampling  not sampling  not sampling     fast when
                              slow/deep  fast/shallow     slow/deep  fast/shallow  not sampling
  VC joins                            9             1             5           995         99.5%
    into threads (7.4-7.6)            9             1             5           995         99.5%
    into volatiles (7.7-7.9)          0             0             0             0             -
  VC copies                           0             0             0         1,000        100.0%
  VC joins and copies                                                                     99.8%
)");
}

TEST(Sampling, InTheReport) {
  Report report;
  EXPECT_FALSE(nlohmann::json::parse(json_report(report, {})).contains("sampling"));
  report.sampling = recorded();
  const auto j = nlohmann::json::parse(json_report(report, {}))["sampling"];
  EXPECT_EQ(j["rate"], 0.03);
  EXPECT_EQ(j["sampled_periods"], 5);
  EXPECT_EQ(j["spent_us"]["sampled"], 310'000);
  EXPECT_EQ(j["rules"]["join, same version epoch (7.4)"]["not_sampling"], 995);
}

}  // namespace
}  // namespace steward::report
