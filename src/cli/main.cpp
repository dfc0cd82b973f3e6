// steward: one binary, one file a subcommand.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <exception>
#include <fmt/format.h>
#include <string>
#include <vector>

#include "cli/analyze.h"
#include "cli/audit.h"
#include "cli/classify.h"
#include "cli/compile.h"
#include "cli/convert.h"
#include "cli/doctor.h"
#include "cli/exit_code.h"
#include "cli/manual.h"
#include "cli/output.h"
#include "cli/print_records.h"
#include "cli/program_words.h"
#include "cli/record.h"
#include "cli/report.h"
#include "cli/run.h"
#include "cli/sample.h"
#include "cli/simulate.h"
#include "cli/suggest.h"

namespace steward::cli {

namespace {

constexpr const char* kAbout = "Steward finds data races.";
constexpr const char* kFooter =
    "Run 'steward COMMAND --help' for a command's options.\n"
    "Exit codes: 0 no race, 66 races found, 1 bad input or internal error, 2 wrong usage.";

class Formatter final : public CLI::Formatter {
 public:
  Formatter() {
    column_width(28);
    // Usage already tells what is required, and that arguments are text goes without saying.
    label("REQUIRED", "");
    label("TEXT", "");
    label("SUBCOMMAND", "COMMAND");
  }

  std::string make_usage(const CLI::App* app, std::string name) const override {
    return '\n' + CLI::Formatter::make_usage(app, std::move(name));
  }

  // A list of commands shows the first line of each one's help.
  std::string make_subcommand(const CLI::App* command) const override {
    const std::string help = command->get_description();
    return fmt::format("  {:<{}}{}\n", command->get_name(), get_column_width() - 2,
                       help.substr(0, help.find('\n')));
  }
};

std::string command_of(const CLI::App& app) {
  std::string name = "steward";
  for (const CLI::App* command : app.get_subcommands()) name += ' ' + command->get_name();
  return name;
}

std::vector<std::string> command_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands({})) names.push_back(command->get_name());
  return names;
}

// CLI11 would only say that the word was not expected.
int unknown_command(const std::vector<std::string>& names, const std::string& typed) {
  const std::string meant = suggestion(typed, names);
  return usage_error("steward",
                     fmt::format("unknown command '{}'{}", typed,
                                 meant.empty() ? "" : fmt::format(" (did you mean '{}'?)", meant)));
}

int run(int argc, char** argv) {
  // Commands whose words are another program's are taken before CLI11 sees them.
  const std::string command = argc > 1 ? argv[1] : "";
  if (command == "run") return run_main(argc - 1, argv + 1);
  if (command == "record") return record_main(argc - 1, argv + 1);
  if (command == "classify") return classify_main(argc - 1, argv + 1);
  if (command == "cc" || command == "c++") return compile_main(argc - 1, argv + 1);

  int exit_code = kExitOk;
  CLI::App app{kAbout, "steward"};
  app.formatter(std::make_shared<Formatter>());
  app.set_version_flag("--version", "steward " STEWARD_VERSION);
  app.require_subcommand(0, 1);
  add_run(app, exit_code);
  add_sample(app, exit_code);
  add_record(app, exit_code);
  add_classify(app, exit_code);
  add_compile(app, exit_code);
  add_analyze(app, exit_code);
  add_convert(app, exit_code);
  add_simulate(app, exit_code);
  add_audit(app, exit_code);
  add_report(app, exit_code);
  add_doctor(app, exit_code);
  add_print_records(app, exit_code);
  add_manual(app, exit_code);
  app.footer(kFooter);  // last: a subcommand would inherit it

  const std::vector<std::string> names = command_names(app);
  if (argc > 1 && argv[1][0] != '-' &&
      std::find(names.begin(), names.end(), argv[1]) == names.end()) {
    return unknown_command(names, argv[1]);
  }
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& e) {  // --help, --version
    return app.exit(e);
  } catch (const CLI::ParseError& e) {
    return usage_error(command_of(app), e.what());
  }
  if (app.get_subcommands().empty()) put(app.help());
  return exit_code;
}

}  // namespace

}  // namespace steward::cli

int main(int argc, char** argv) {
  using namespace steward::cli;
  int exit_code = kExitFailed;
  try {
    exit_code = run(argc, argv);
  } catch (const std::bad_alloc&) {
    fmt::print(stderr, "steward: out of memory\n");
  } catch (const std::exception& e) {
    fmt::print(stderr, "steward: internal error: {}\n", e.what());
  }
  return finish_output(exit_code);
}
