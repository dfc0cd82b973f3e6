// What a program loads.
#pragma once

#include <string>
#include <vector>

namespace steward::cli {

// The libraries the dynamic linker would load, by its own word; it starts nothing of the program.
std::vector<std::string> libraries_of(const std::string& path);

}  // namespace steward::cli
