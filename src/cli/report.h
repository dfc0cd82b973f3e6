// steward report: reports of many runs into one, in the form a reader wants.
#pragma once

#include <CLI/CLI.hpp>

namespace steward::cli {

void add_report(CLI::App& app, int& exit_code);

}  // namespace steward::cli
