// Commands that run another program: where our own options end and its words begin.
#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>
#include <vector>

namespace steward::cli {

// The index of the program among the words. Its own options look like ours, so ours end where it
// begins. Nothing: `unknown` is no option of ours.
std::optional<int> find_program(const CLI::App& app, int argc, char** argv, std::string& unknown);

// Parses the words before the program. Throws as CLI11 does.
void parse_own_words(CLI::App& app, int program, char** argv);

std::vector<std::string> option_names(const CLI::App& app);

}  // namespace steward::cli
