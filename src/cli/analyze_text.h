// The result of an analysis for a person: races, the comparison of the detectors, their counters.
#pragma once

#include <cstdint>
#include <string>

#include "cli/analyze_result.h"
#include "cli/terminal.h"

namespace steward::cli {

// The races, at most `max` of them; empty when there are none.
std::string races_text(const AnalyzeResult& r, std::uint64_t max, const Style& style);
// A row for each detector.
std::string comparison_text(const AnalyzeResult& r);
// Every counter of every detector that is not 0; PACER's also as its paper lays them out.
std::string counters_text(const AnalyzeResult& r);
// The last line.
std::string summary_text(const AnalyzeResult& r, const Style& style);

}  // namespace steward::cli
