// steward cc and steward c++: a compiler that builds programs for 'steward run'.
#pragma once

#include <CLI/CLI.hpp>

namespace steward::cli {

// Lists the subcommands. Their words are for compile_main, as all of them are the compiler's.
void add_compile(CLI::App& app, int& exit_code);

// `steward cc ...` from the word "cc" or "c++" on. Returns only if the compiler was not started.
int compile_main(int argc, char** argv);

}  // namespace steward::cli
