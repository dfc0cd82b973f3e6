// steward audit: what a run-time system's lard.h calls are for, in one execution.
#pragma once

namespace CLI {
class App;
}

namespace steward::cli {

// Registers the subcommand; when it runs it sets `exit_code`.
void add_audit(CLI::App& app, int& exit_code);

}  // namespace steward::cli
