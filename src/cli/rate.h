#pragma once

#include <optional>
#include <string>

namespace steward::cli {

// A sampling rate as people write it: "3%" or "0.03". Nothing if it is neither, or not in 0 to 1.
std::optional<double> rate_named(const std::string& text);

}  // namespace steward::cli
