// Which compiler 'steward cc' and 'steward c++' stand for, and what there is for it.
#pragma once

#include <string>
#include <vector>

#include "cli/compile_command.h"

namespace steward::cli {

// The words of STEWARD_CC or STEWARD_CXX, else the first compiler there is; empty: none.
std::vector<std::string> find_compiler(bool cxx);

// What it says of itself.
std::string version_of(const std::vector<std::string>& compiler);

CompilerFamily family_of(const std::vector<std::string>& compiler);

// The version in a clang's name, "clang++-19", else in what it says; empty: no clang.
std::string clang_version(const std::vector<std::string>& compiler);

// The pass for this compiler, if it is a clang that we have one for. STEWARD_PASS=0: none.
std::string plugin_for(const std::vector<std::string>& compiler);

}  // namespace steward::cli
