// Where a report goes: races as they come in, the rest at the end, JSON in one piece.
#pragma once

#include <string>
#include <vector>

#include "cli/options.h"
#include "report/collect.h"
#include "report/text.h"

namespace steward::cli {

class RunOutput {
 public:
  RunOutput() = default;
  ~RunOutput();
  RunOutput(const RunOutput&) = delete;
  RunOutput& operator=(const RunOutput&) = delete;

  // Opens what will be written to, before anything runs that would be for nothing. `json`: a file,
  // "-" or empty. What comes back is what went wrong; empty: nothing.
  std::string open(const Options& options, const std::string& json);

  void news(const report::News& news);
  // Flushes the last words. What comes back is what could not be written; empty: all was.
  std::string finish(const report::Report& report, const report::Suppressions& suppressions);

 private:
  void write(const std::string& text);

  Options options_;
  std::string json_;
  int json_fd_ = -1;
  int fd_ = 2;
  bool own_fd_ = false;
  std::string failure_;
  std::uint64_t races_ = 0;
  report::TextPrinter text_{{}};
};

// The files named by the options and on the command line. What comes back is what went wrong.
std::string load_suppressions(const std::vector<std::string>& files, const std::string& program,
                              report::Suppressions& to, std::vector<std::string>& warnings);

report::SymbolizeOptions symbolize_options(const Options& options);

// 66 rules over 0 only: a program's own failure is told as it is.
int exit_code_for(int own, const report::Report& report, const Options& options);

}  // namespace steward::cli
