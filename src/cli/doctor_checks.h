// The single checks of 'steward doctor'. Each looks, and says what it saw.
#pragma once

#include <string>
#include <vector>

namespace steward::cli {

enum class Health : unsigned char { Good, Doubtful, Bad };

struct Finding {
  Health health = Health::Good;
  std::string what;    // "compiler"
  std::string saw;     // "clang++-19, Debian clang version 19.1.7"
  std::string advice;  // what to do; empty: nothing
};

using Findings = std::vector<Finding>;

// This Steward: its runtime libraries, the compiler, the plugin, the symboliser.
Findings check_installation();
// The system: address space, memory limits, ptrace, the folder for records.
Findings check_system();
// Builds a small racy program and runs it: does it all work together?
Findings check_by_trying();
// A program of the user's: can it be run, will there be lines, which of its libraries are not seen?
Findings check_binary(const std::string& program);

}  // namespace steward::cli
