// steward convert: traces between text and binary.
#pragma once

#include <CLI/CLI.hpp>

namespace steward::cli {

// Registers the subcommand; when it runs it sets `exit_code`.
void add_convert(CLI::App& app, int& exit_code);

}  // namespace steward::cli
