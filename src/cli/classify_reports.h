// Races for `steward classify`: from a report that `steward run --json` wrote, or from the raw
// records of a run.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "report/model.h"
#include "report/modules.h"
#include "report/symbolize.h"

namespace steward::cli {

// As much of a report as names variables. Nothing: `error` says what is wrong.
std::optional<report::Report> read_report(const std::string& path, std::string& error);

// The races in these lines, added to what other runs had found.
class Detection {
 public:
  explicit Detection(report::Symbolizer& symbolizer) : symbolizer_(symbolizer) {}
  void add(const std::vector<std::string>& records);
  const report::Report& report() const { return report_; }

 private:
  report::Symbolizer& symbolizer_;
  report::Report report_;
  std::set<std::string> seen_;
};

// The modules among raw records.
report::Modules modules_of(const std::vector<std::string>& records);

}  // namespace steward::cli
