// What a program under a tool of ours finds in its environment.
#pragma once

#include <map>
#include <string>

namespace steward::cli {

// The tool's library, by a path that the loader can read: a link in `scratch` if need be.
std::string plain_library_folder(const std::string& folder, const std::string& scratch);

// Loads the library, before all others and under every name it is asked for by. `records`: the
// beginning of the names of the files that it writes; `options`: STEWARD_OPTIONS.
std::map<std::string, std::string> tool_environment(const std::string& library,
                                                    const std::string& records,
                                                    const std::string& options);

}  // namespace steward::cli
