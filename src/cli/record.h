// steward record: a program's execution as a trace.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <string>
#include <vector>

namespace steward::cli {

struct RecordRequest {
  std::string output;
  std::uint64_t limit = std::uint64_t{4} << 30;
  bool force = false;
  bool quiet = false;
  std::vector<std::string> command;
};
struct RecordOutcome {
  bool has_trace = false;
  int exit_code = 0;  // the program's, or why there is no trace; the reason has been printed
};
RecordOutcome record(const RecordRequest& request);

// Lists the subcommand; its arguments are for record_main.
void add_record(CLI::App& app, int& exit_code);

// `steward record ...` from the word "record" on.
int record_main(int argc, char** argv);

}  // namespace steward::cli
