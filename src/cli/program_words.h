// Commands that run another program: our own options, then its words.
#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>
#include <vector>

namespace steward::cli {

// `command` as it is typed: steward run.
int usage_error(const std::string& command, const std::string& line);

class ProgramCommand {
 public:
  ProgramCommand(const std::string& name, const char* help, const char* footer);

  CLI::App& app() { return app_; }

  // Its own options look like ours, so ours end where the program begins. The exit code when the
  // command ends here: help was asked for, or the words are wrong.
  std::optional<int> parse(int argc, char** argv, std::vector<std::string>& program);

 private:
  std::optional<int> find_program(int argc, char** argv, std::string& unknown) const;
  void parse_own_words(int program, char** argv);

  CLI::App app_;
};

}  // namespace steward::cli
