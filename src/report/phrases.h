// The words for the parts of a race, shared by the printers.
#pragma once

#include <string>

#include "report/model.h"

namespace steward::report {

// "T2 'worker'", "main thread"
std::string thread_text(const Race& race, std::uint32_t id);

// "global 'counter'", "heap block of 24 bytes", "stack of T1"
std::string memory_text(const Race& race);

// Why nothing orders the two: the locks they hold, or the one that is not atomic.
std::string cause_text(const Race& race);

std::string bytes_text(std::uint64_t n);  // "1 byte", "4 bytes"

}  // namespace steward::report
