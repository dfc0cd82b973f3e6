// Where the runtime libraries are: one folder a tool, beside the steward that runs.
#pragma once

#include <string>
#include <vector>

namespace steward::cli {

inline constexpr const char* kDefaultTool = "fasttrack";
inline constexpr const char* kSamplingTool = "pacer";
inline constexpr const char* kLocksetTool = "lockset";

// STEWARD_LIBDIR, else ../lib/steward from the executable.
std::string library_root();

// The folder of a tool's library; empty when there is none such.
std::string library_folder(const std::string& tool);

std::string library_file(const std::string& folder);

// Tools with a library, by name.
std::vector<std::string> tools();

// "no tool 'x' (did you mean 'y'?); there are: y, z", or why there is none at all.
std::string no_such_tool(const std::string& tool);

}  // namespace steward::cli
