// steward analyze: the races of a trace, by any number of detectors in one pass.
#pragma once

namespace CLI {
class App;
}

namespace steward::cli {

// Registers the subcommand; when it runs it sets `exit_code`.
void add_analyze(CLI::App& app, int& exit_code);

}  // namespace steward::cli
