// What a race is called from run to run and from build to build.
#pragma once

#include <array>
#include <string>

#include "report/model.h"

namespace steward::report {

// 16 hexadecimal digits of both stacks, in no order. A frame counts by its function, the name of
// its file without folders, and its line from the start of the function: edits elsewhere, other
// folders, other addresses change nothing. Frames of the standard library do not count, nor does
// how deep a recursion was.
std::string fingerprint(const Race& race);

// The same of each stack alone: what is left to compare when the other one was lost. Empty: lost.
std::array<std::string, 2> half_fingerprints(const Race& race);

}  // namespace steward::report
