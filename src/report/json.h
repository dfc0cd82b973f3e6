// A report for machines; docs/report-format.md describes it.
#pragma once

#include <string>

#include "report/model.h"
#include "report/suppress.h"

namespace steward::report {

inline constexpr int kReportVersion = 1;

// One JSON object and a line feed.
std::string json_report(const Report& report, const Suppressions& suppressions);

}  // namespace steward::report
