#include "cli/program_words.h"

#include <algorithm>
#include <cstring>
#include <fmt/format.h>

#include "cli/exit_code.h"
#include "cli/suggest.h"

namespace steward::cli {

namespace {

class Formatter final : public CLI::Formatter {
 public:
  Formatter() { column_width(30); }

  std::string make_usage(const CLI::App* app, std::string) const override {
    return fmt::format("Usage: {} [OPTIONS] [--] PROGRAM [ARGUMENTS...]\n", app->get_name());
  }
};

std::vector<std::string> option_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  }
  return names;
}

}  // namespace

ProgramCommand::ProgramCommand(const std::string& name, const char* help, const char* footer)
    : app_(help, "steward " + name) {
  app_.footer(footer);
  app_.formatter(std::make_shared<Formatter>());
}

int usage_error(const std::string& command, const std::string& line) {
  fmt::print(stderr, "{0}: {1}\nRun '{0} --help' for help.\n", command, line);
  return kExitUsage;
}

// Nothing: `unknown` is no option of ours.
std::optional<int> ProgramCommand::find_program(int argc, char** argv, std::string& unknown) const {
  int i = 1;
  for (; i < argc; ++i) {
    const std::string word = argv[i];
    if (word == "--") return i + 1;
    if (word.size() < 2 || word[0] != '-') return i;
    const std::size_t equals = word.find('=');
    const CLI::Option* option = app_.get_option_no_throw(word.substr(0, equals));
    if (option == nullptr) {
      unknown = word;
      return std::nullopt;
    }
    if (equals == std::string::npos && option->get_expected_max() > 0) ++i;
  }
  return std::min(i, argc);
}

void ProgramCommand::parse_own_words(int program, char** argv) {
  // CLI11 takes the words from the back.
  std::vector<std::string> words;
  for (int i = program - 1; i >= 1; --i) {
    if (std::strcmp(argv[i], "--") != 0 || i != program - 1) words.emplace_back(argv[i]);
  }
  app_.parse(words);
}

std::optional<int> ProgramCommand::parse(int argc, char** argv, std::vector<std::string>& program) {
  std::string unknown;
  const auto first = find_program(argc, argv, unknown);
  if (!first) {
    const std::string meant = suggestion(unknown, option_names(app_));
    return usage_error(app_.get_name(),
                       fmt::format("unknown option {}{}", unknown,
                                   meant.empty() ? "" : fmt::format(" (did you mean {}?)", meant)));
  }
  try {
    parse_own_words(*first, argv);
  } catch (const CLI::Success& e) {
    return app_.exit(e);
  } catch (const CLI::ParseError& e) {
    return usage_error(app_.get_name(), e.what());
  }
  program.assign(argv + *first, argv + argc);
  return std::nullopt;
}

}  // namespace steward::cli
