// steward doctor: what is wrong here, and what to do about it.
#pragma once

#include <CLI/CLI.hpp>

namespace steward::cli {

void add_doctor(CLI::App& app, int& exit_code);

}  // namespace steward::cli
