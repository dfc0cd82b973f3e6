// Standard output, with no failed write lost: a full disk must not look like a result.
#pragma once

#include <string_view>

namespace steward::cli {

// Failures are remembered for finish_output().
void put(std::string_view text);

// Writes what is still in a buffer; once, when the program ends. `exit_code`, or 1 after a line on
// standard error when something could not be written.
int finish_output(int exit_code);

}  // namespace steward::cli
