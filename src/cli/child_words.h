// What posix_spawn wants: a child's words and environment.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace steward::cli {

// Ours, with changes.
std::vector<std::string> environment(const std::map<std::string, std::string>& changes);
// Ends with a null pointer; points into the words.
std::vector<char*> pointers(std::vector<std::string>& words);

}  // namespace steward::cli
