// Manual pages and bash completion, from the same descriptions that --help prints.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace steward::cli {

// steward print-manual [COMMAND] and print-completion: for the build. Not listed in the help.
void add_manual(CLI::App& app, int& exit_code);

// In roff. `command`: of `app`, or empty for the page of the program itself.
std::string manual_page(const CLI::App& app, const std::string& command);

std::string bash_completion(const CLI::App& app);

}  // namespace steward::cli
