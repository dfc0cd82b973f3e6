// steward print-records: what the runtime of a program that was not started by 'steward run'
// executes at its end. Not listed in the help.
#pragma once

#include <CLI/CLI.hpp>

namespace steward::cli {

void add_print_records(CLI::App& app, int& exit_code);

}  // namespace steward::cli
