#pragma once

#include <CLI/CLI.hpp>

namespace steward::cli {

// `steward sample PID RATE`: another sampling rate for a program that runs under PACER.
void add_sample(CLI::App& app, int& exit_code);

}  // namespace steward::cli
