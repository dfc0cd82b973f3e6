#include "cli/compile_command.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <fstream>
#include <iterator>
#include <string_view>

#include "report/phrases.h"

namespace steward::cli {

namespace {

template <std::size_t N>
bool is_one_of(std::string_view word, const std::array<std::string_view, N>& words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

// Options whose value is the next word.
constexpr auto kWithValue = std::to_array<std::string_view>({"-o",
                                                             "-x",
                                                             "-I",
                                                             "-L",
                                                             "-l",
                                                             "-D",
                                                             "-U",
                                                             "-T",
                                                             "-u",
                                                             "-z",
                                                             "-e",
                                                             "-A",
                                                             "-B",
                                                             "-F",
                                                             "-G",
                                                             "-include",
                                                             "-imacros",
                                                             "-isystem",
                                                             "-iquote",
                                                             "-idirafter",
                                                             "-iprefix",
                                                             "-iwithprefix",
                                                             "-iwithprefixbefore",
                                                             "-isysroot",
                                                             "-imultilib",
                                                             "-MF",
                                                             "-MT",
                                                             "-MQ",
                                                             "-MJ",
                                                             "-Xlinker",
                                                             "-Xclang",
                                                             "-Xassembler",
                                                             "-Xpreprocessor",
                                                             "-Xanalyzer",
                                                             "-mllvm",
                                                             "-target",
                                                             "--target",
                                                             "-arch",
                                                             "-aux-info",
                                                             "--param",
                                                             "-dumpbase",
                                                             "-dumpdir",
                                                             "-wrapper",
                                                             "-specs",
                                                             "--sysroot",
                                                             "-gcc-toolchain",
                                                             "-resource-dir",
                                                             "-include-pch"});

constexpr auto kNoLink = std::to_array<std::string_view>(
    {"-c", "-S", "-E", "-M", "-MM", "-fsyntax-only", "--preprocess", "--compile", "--assemble",
     "--precompile", "-emit-ast", "--analyze", "-emit-interface-stubs", "-r", "--emit-static-lib"});

// Answered by the driver itself.
constexpr auto kQuestions = std::to_array<std::string_view>(
    {"--version", "-dumpversion", "-dumpfullversion", "-dumpmachine", "-dumpspecs", "--help",
     "--target-help", "-cc1", "-cc1as"});

constexpr auto kConflicting = std::to_array<std::string_view>(
    {"address", "hwaddress", "memory", "leak", "kernel-address", "kernel-hwaddress",
     "kernel-memory", "dataflow", "realtime", "type"});

// A response file's words: blanks separate, quotes and backslashes keep.
std::vector<std::string> response_words(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
  std::vector<std::string> words;
  std::string word;
  bool inside = false;
  char quote = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '\\' && i + 1 < text.size() && quote != '\'') {
      word += text[++i];
      inside = true;
    } else if (quote != 0) {
      if (c == quote) {
        quote = 0;
      } else {
        word += c;
      }
    } else if (c == '"' || c == '\'') {
      quote = c;
      inside = true;
    } else if (c == ' ' || c == '\t' || c == '\n' || c == '\r') {
      if (inside) words.push_back(std::move(word));
      word.clear();
      inside = false;
    } else {
      word += c;
      inside = true;
    }
  }
  if (inside) words.push_back(std::move(word));
  return words;
}

// With response files in place of their names, and those within them.
std::vector<std::string> expanded(const std::vector<std::string>& words, int depth = 0) {
  std::vector<std::string> out;
  for (const std::string& word : words) {
    if (word.size() < 2 || word[0] != '@' || depth > 8) {
      out.push_back(word);
      continue;
    }
    for (std::string& inner : expanded(response_words(word.substr(1)), depth + 1)) {
      out.push_back(std::move(inner));
    }
  }
  return out;
}

void examine_sanitizers(std::string_view list, CompileStep& step) {
  while (!list.empty()) {
    const std::size_t end = std::min(list.find(','), list.size());
    if (is_one_of(list.substr(0, end), kConflicting)) step.conflicting = list.substr(0, end);
    list.remove_prefix(std::min(end + 1, list.size()));
  }
}

std::vector<std::string> link_words(CompilerFamily family, const std::string& library) {
  // gcc adds -ltsan by itself and takes the first it finds.
  if (family == CompilerFamily::Gcc) {
    return {"-L" + library, "-Xlinker", "-rpath", "-Xlinker", library};
  }
  // Before the objects, as what comes first in the program is found first by the loader; hence
  // not left out although nothing needs it yet.
  return {"-fno-sanitize-link-runtime",
          "-Wl,--push-state,--no-as-needed",
          library + "/libtsan.so.2",
          "-Wl,--pop-state",
          "-Xlinker",
          "-rpath",
          "-Xlinker",
          library};
}

}  // namespace

CompileStep examine(const std::vector<std::string>& given) {
  CompileStep step;
  bool question = false;
  bool no_link = false;
  const std::vector<std::string> words = expanded(given);
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string_view word = words[i];
    if (is_one_of(word, kQuestions) || word.starts_with("-print-") ||
        word.starts_with("--print-") || word.starts_with("--help=")) {
      question = true;
    } else if (is_one_of(word, kNoLink)) {
      no_link = true;
    } else if (is_one_of(word, kWithValue)) {
      ++i;
    } else if (word == "-static" || word == "--static" || word == "-static-pie") {
      step.is_static = true;
    } else if (word == "-nostdlib" || word == "-nodefaultlibs") {
      step.has_runtime = false;
    } else if (word == "-static-libtsan" || word == "-static-libsan") {
      step.static_libtsan = true;
    } else if (word.starts_with("-fsanitize=")) {
      examine_sanitizers(word.substr(11), step);
    } else if (word == "-" || (!word.empty() && word[0] != '-')) {
      step.has_input = true;
    }
  }
  if (question) step.has_input = false;
  step.links = step.has_input && !no_link;
  return step;
}

CompilePlan plan_compile(const std::vector<std::string>& compiler, CompilerFamily family,
                         const std::vector<std::string>& words, const std::string& library,
                         const std::string& plugin) {
  CompilePlan plan{compiler, {}};
  const CompileStep step = examine(words);
  const bool links = step.links && step.has_runtime;
  if (step.has_input && !step.conflicting.empty()) {
    plan.error = fmt::format(
        "-fsanitize={} does not go together with -fsanitize=thread, which "
        "Steward needs; build without it",
        step.conflicting);
  } else if (links && step.is_static) {
    plan.error = "-static leaves no room for Steward's runtime, a shared library; link without it";
  } else if (links && step.static_libtsan) {
    plan.error =
        "a static ThreadSanitizer would take the place of Steward's runtime; link "
        "without -static-libtsan or -static-libsan";
  } else if (links && library.empty()) {
    plan.error = "Steward's runtime library was not found";
  }
  if (step.has_input) {
    // Before the user's own words, the last of which win: -g0, -fno-sanitize=thread.
    plan.command.insert(plan.command.end(), {"-fsanitize=thread", "-g"});
    if (!plugin.empty()) {  // a link alone has no use for it, and need not say so
      plan.command.insert(
          plan.command.end(),
          {"--start-no-unused-arguments", "-fpass-plugin=" + plugin, "--end-no-unused-arguments"});
    }
    if (links) {
      for (std::string& word : link_words(family, library)) {
        plan.command.push_back(std::move(word));
      }
    }
  }
  plan.command.insert(plan.command.end(), words.begin(), words.end());
  return plan;
}

std::string quoted(const std::vector<std::string>& command) {
  return report::command_text(command);
}

}  // namespace steward::cli
