// The RADISH paper's Figures 7 to 11 from simulated traces, as SVG files.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/simulate_pass.h"

namespace steward::cli {

// The parameters that Figures 8 and 9 vary.
std::vector<Sweep> figure_sweeps();

// Writes the files into `folder`, which is made if it is not there. What went wrong, or nothing.
std::optional<std::string> write_figures(const std::string& folder,
                                         const std::vector<TraceRun>& runs);

}  // namespace steward::cli
