// "Did you mean ...?"
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace steward::cli {

// The candidate nearest to what was typed; empty when none is near enough to have been meant.
std::string suggestion(std::string_view typed, const std::vector<std::string>& candidates);

}  // namespace steward::cli
