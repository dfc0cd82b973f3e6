#include "cli/manual.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <memory>
#include <sstream>
#include <string_view>
#include <vector>

#include "cli/exit_code.h"
#include "cli/output.h"

namespace steward::cli {

namespace {

constexpr const char* kCompletion =
    R"BASH(# bash completion for steward: made by 'steward print-completion', from what --help prints.
_steward_options() {
  case $1 in
@OPTIONS@  esac
}
_steward_values() { # COMMAND OPTION
  case "$1 $2" in
@VALUES@  esac
}
_steward() {
  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} command=${COMP_WORDS[1]} values
  COMPREPLY=()
  if [ "$COMP_CWORD" -eq 1 ]; then
    mapfile -t COMPREPLY < <(compgen -W '@NAMES@ --help --version' -- "$word")
    return
  fi
  # what follows cc and c++ is the compiler's
  case $command in cc | c++) return ;; esac
  values=$(_steward_values "$command" "$before")
  if [ -n "$values" ]; then
    mapfile -t COMPREPLY < <(compgen -W "$values" -- "$word")
  elif [[ $word == -* ]]; then
    mapfile -t COMPREPLY < <(compgen -W "$(_steward_options "$command")" -- "$word")
  fi
}
complete -o default -o bashdefault -F _steward steward
)BASH";

std::vector<const CLI::App*> commands_of(const CLI::App& app) {
  std::vector<const CLI::App*> out;
  for (const CLI::App* command : app.get_subcommands({})) {
    if (command->get_group().empty()) continue;  // not listed in the help either
    out.push_back(command);
  }
  return out;
}

// Text for roff: what it would take for a request or an escape is none.
std::string roff(std::string_view text) {
  std::string out;
  bool line_start = true;
  for (const char c : text) {
    if (line_start && (c == '.' || c == '\'')) out += "\\&";
    if (c == '\\') {
      out += "\\e";
    } else if (c == '-') {
      out += "\\-";
    } else {
      out += c;
    }
    line_start = c == '\n';
  }
  return out;
}

// Paragraphs as they are in the help; a line that is indented there is shown as it is.
std::string paragraphs(const std::string& text) {
  std::string out;
  std::istringstream lines(text);
  bool shown = false;
  for (std::string line; std::getline(lines, line);) {
    const bool indented = line.starts_with("  ");
    if (indented != shown) out += indented ? ".nf\n" : ".fi\n";
    shown = indented;
    out += line.empty() ? ".PP\n" : roff(line) + "\n";
  }
  return out + (shown ? ".fi\n" : "");
}

std::string summary(const CLI::App& app) {
  const std::string text = app.get_description();
  std::string first = text.substr(0, text.find('\n'));
  if (first.ends_with('.')) first.pop_back();
  return first;
}

// "[OPTIONS] FILE..."
std::string usage(const CLI::App& command) {
  std::string out = "[OPTIONS]";
  for (const CLI::Option* option : command.get_options()) {
    if (option->get_positional() == false) continue;
    std::string word = option->get_name(true);
    if (option->get_expected_max() > 1) word += "...";
    out += ' ' + (option->get_required() ? word : '[' + word + ']');
  }
  return out;
}

// The words after an option that a validator has listed: "{text,tsan}".
std::vector<std::string> choices(const CLI::Option& option) {
  const std::string type = option.get_type_name();
  const std::size_t open = type.find('{');
  const std::size_t close = type.find('}', open);
  std::vector<std::string> out;
  if (open == std::string::npos || close == std::string::npos) return out;
  std::istringstream words(type.substr(open + 1, close - open - 1));
  for (std::string word; std::getline(words, word, ',');) out.push_back(word);
  return out;
}

bool takes_value(const CLI::Option& option) {
  return option.get_expected_max() > 0 && option.get_items_expected_max() > 0;
}

std::vector<std::string> spellings(const CLI::Option& option) {
  std::vector<std::string> out;
  for (const std::string& name : option.get_snames()) out.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) out.push_back("--" + name);
  return out;
}

std::string options_section(const CLI::App& app) {
  std::string out;
  for (const CLI::Option* option : app.get_options()) {
    std::string head;
    if (option->get_positional()) {
      head = fmt::format("\\fI{}\\fR", roff(option->get_name(true)));
    } else {
      std::vector<std::string> names;
      for (const std::string& name : spellings(*option))
        names.push_back("\\fB" + roff(name) + "\\fR");
      head = fmt::format("{}", fmt::join(names, ", "));
      if (takes_value(*option)) {
        const auto words = choices(*option);
        head += words.empty()
                    ? " \\fIVALUE\\fR"
                    : fmt::format(" \\fI{}\\fR", roff(fmt::format("{}", fmt::join(words, "|"))));
      }
    }
    out += fmt::format(".TP\n{}\n{}\n", head, roff(option->get_description()));
  }
  return out;
}

std::string completion_words(const CLI::App& app) {
  std::vector<std::string> words;
  for (const CLI::Option* option : app.get_options()) {
    if (option->get_positional()) continue;
    for (const std::string& word : spellings(*option)) words.push_back(word);
  }
  return fmt::format("{}", fmt::join(words, " "));
}

}  // namespace

std::string manual_page(const CLI::App& app, const std::string& command) {
  const CLI::App& page = command.empty() ? app : *app.get_subcommand(command);
  const std::string name = command.empty() ? "steward" : "steward-" + command;
  std::string upper = name;
  for (char& c : upper) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  std::string out =
      fmt::format(".TH {} 1 \"\" \"Steward {}\" \"Steward\"\n", roff(upper), STEWARD_VERSION);
  out += fmt::format(".SH NAME\n{} \\- {}\n", roff(name), roff(summary(page)));
  out += ".SH SYNOPSIS\n";
  if (command.empty()) {
    out += "\\fBsteward\\fR \\fICOMMAND\\fR [ARGUMENTS...]\n";
  } else if (command == "cc" || command == "c++") {
    out +=
        fmt::format("\\fBsteward {}\\fR [\\fIARGUMENTS OF THE COMPILER\\fR...]\n", roff(command));
  } else {
    out += fmt::format("\\fBsteward {}\\fR {}\n", roff(command), roff(usage(page)));
  }
  const std::string text = page.get_description();
  out += ".SH DESCRIPTION\n" + paragraphs(text);
  if (command.empty()) {
    out += ".SH COMMANDS\n";
    for (const CLI::App* one : commands_of(app)) {
      out += fmt::format(".TP\n\\fB{}\\fR\n{}; see \\fBsteward\\-{}\\fR(1)\n",
                         roff(one->get_name()), roff(summary(*one)), roff(one->get_name()));
    }
  }
  out += ".SH OPTIONS\n" + options_section(page);
  std::string footer = page.get_footer();
  footer.erase(0, footer.find_first_not_of('\n'));
  if (!footer.empty()) out += ".SH NOTES\n" + paragraphs(footer);
  out += ".SH SEE ALSO\n";
  out +=
      command.empty() ? "The documentation in /usr/share/doc/steward.\n" : "\\fBsteward\\fR(1)\n";
  return out;
}

std::string bash_completion(const CLI::App& app) {
  std::vector<std::string> names;
  std::string options;
  std::string values;
  for (const CLI::App* command : commands_of(app)) {
    names.push_back(command->get_name());
    options +=
        fmt::format("    {}) echo '{}' ;;\n", command->get_name(), completion_words(*command));
    for (const CLI::Option* option : command->get_options()) {
      const auto words = choices(*option);
      if (option->get_positional() || words.empty()) continue;
      std::vector<std::string> cases;
      for (const std::string& word : spellings(*option))
        cases.push_back(command->get_name() + ' ' + word);
      values +=
          fmt::format("    '{}') echo '{}' ;;\n", fmt::join(cases, "' | '"), fmt::join(words, " "));
    }
  }
  std::string out = kCompletion;
  const auto put_in = [&](std::string_view mark, std::string_view text) {
    out.replace(out.find(mark), mark.size(), text);
  };
  put_in("@OPTIONS@", options);
  put_in("@VALUES@", values);
  put_in("@NAMES@", fmt::format("{}", fmt::join(names, " ")));
  return out;
}

void add_manual(CLI::App& app, int& exit_code) {
  auto command = std::make_shared<std::string>();
  CLI::App* manual = app.add_subcommand("print-manual", "Print a manual page, in roff.")->group("");
  manual->add_option("COMMAND", *command, "whose page; default: the program's");
  manual->callback([&app, command, &exit_code] {
    try {
      put(manual_page(app, *command));
    } catch (const CLI::OptionNotFound&) {
      fmt::print(stderr, "steward print-manual: unknown command '{}'\n", *command);
      exit_code = kExitUsage;
    }
  });
  app.add_subcommand("print-completion", "Print a completion script for bash.")
      ->group("")
      ->callback([&app] { put(bash_completion(app)); });
}

}  // namespace steward::cli
