// steward simulate: RADISH on recorded executions.
#pragma once

namespace CLI {
class App;
}

namespace steward::cli {

void add_simulate(CLI::App& app, int& exit_code);

}  // namespace steward::cli
