// steward classify: which races do harm?
#pragma once

#include <CLI/CLI.hpp>

namespace steward::cli {

// Lists the subcommand; its arguments are for classify_main.
void add_classify(CLI::App& app, int& exit_code);

// `steward classify ...` from the word "classify" on.
int classify_main(int argc, char** argv);

}  // namespace steward::cli
