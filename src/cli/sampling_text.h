// What a run that sampled did, for --stats.
#pragma once

#include <string>

#include "report/records.h"

namespace steward::cli {

std::string sampling_text(const report::Sampling& sampling);

}  // namespace steward::cli
