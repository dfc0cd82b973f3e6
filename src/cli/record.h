// steward record: a program's execution as a trace.
#pragma once

#include <CLI/CLI.hpp>

namespace steward::cli {

// Lists the subcommand; its arguments are for record_main.
void add_record(CLI::App& app, int& exit_code);

// `steward record ...` from the word "record" on.
int record_main(int argc, char** argv);

}  // namespace steward::cli
