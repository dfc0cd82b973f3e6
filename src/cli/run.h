// steward run: a program under a race detector.
#pragma once

#include <CLI/CLI.hpp>

namespace steward::cli {

// Lists the subcommand. Its arguments are for run_main, as those of the program in them are not
// for CLI11.
void add_run(CLI::App& app, int& exit_code);

// `steward run ...` from the word "run" on.
int run_main(int argc, char** argv);

}  // namespace steward::cli
