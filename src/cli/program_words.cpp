#include "cli/program_words.h"

#include <algorithm>
#include <cstring>

namespace steward::cli {

std::optional<int> find_program(const CLI::App& app, int argc, char** argv, std::string& unknown) {
  int i = 1;
  for (; i < argc; ++i) {
    const std::string word = argv[i];
    if (word == "--") return i + 1;
    if (word.size() < 2 || word[0] != '-') return i;
    const std::size_t equals = word.find('=');
    const CLI::Option* option = app.get_option_no_throw(word.substr(0, equals));
    if (option == nullptr) {
      unknown = word;
      return std::nullopt;
    }
    if (equals == std::string::npos && option->get_expected_max() > 0) ++i;
  }
  return std::min(i, argc);
}

void parse_own_words(CLI::App& app, int program, char** argv) {
  // CLI11 takes the words from the back.
  std::vector<std::string> words;
  for (int i = program - 1; i >= 1; --i) {
    if (std::strcmp(argv[i], "--") != 0 || i != program - 1) words.emplace_back(argv[i]);
  }
  app.parse(words);
}

std::vector<std::string> option_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  }
  return names;
}

}  // namespace steward::cli
