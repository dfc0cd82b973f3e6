// The result of an analysis for a program. Version 1 of the form is described in docs/analyze.md.
#pragma once

#include <string>

#include "cli/analyze_result.h"

namespace steward::cli {

std::string json_text(const AnalyzeResult& r, int exit_code);

}  // namespace steward::cli
