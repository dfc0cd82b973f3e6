#include "cli/compile.h"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fmt/format.h>
#include <sstream>
#include <string>
#include <string_view>
#include <unistd.h>
#include <vector>

#include "cli/compile_command.h"
#include "cli/exit_code.h"
#include "cli/runtime_library.h"

namespace steward::cli {

namespace {

constexpr const char* kHelpC = R"(Compile C for 'steward run': for use as CC, or in gcc's place.

All arguments are the compiler's; --steward-print shows the command instead. STEWARD_CC names the
compiler (default: clang-19, else gcc, clang or cc), STEWARD_TOOL the runtime to link. With
STEWARD_PASS=0 clang calls the detector for every access instead of checking inline. --jumble builds
for 'steward classify' (clang 19): loads and stores carry their values.)";
constexpr const char* kHelpCxx =
    R"(Compile C++ for 'steward run': for use as CXX, or in g++'s place.

All arguments are the compiler's; --steward-print shows the command instead. STEWARD_CXX names the
compiler (default: clang++-19, else g++, clang++ or c++), STEWARD_TOOL the runtime to link. With
STEWARD_PASS=0 clang calls the detector for every access instead of checking inline. --jumble builds
for 'steward classify' (clang 19): loads and stores carry their values.)";

std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value != nullptr ? value : "";
}

bool is_on_path(const std::string& program) {
  std::stringstream folders(environment("PATH"));
  for (std::string folder; std::getline(folders, folder, ':');) {
    if (::access((folder + "/" + program).c_str(), X_OK) == 0) return true;
  }
  return false;
}

// The words of STEWARD_CC or STEWARD_CXX, else the first compiler there is.
std::vector<std::string> find_compiler(bool cxx) {
  std::stringstream given(environment(cxx ? "STEWARD_CXX" : "STEWARD_CC"));
  std::vector<std::string> words;
  for (std::string word; given >> word;) words.push_back(word);
  if (!words.empty()) return words;
  const std::vector<std::string> names =
      cxx ? std::vector<std::string>{"clang++-19", "g++", "clang++", "c++"}
          : std::vector<std::string>{"clang-19", "gcc", "clang", "cc"};
  for (const std::string& name : names) {
    if (is_on_path(name)) return {name};
  }
  return {};
}

// What it says of itself.
std::string version_of(const std::vector<std::string>& compiler) {
  std::vector<std::string> words = compiler;
  words.emplace_back("--version");
  std::string out;
  if (FILE* pipe = ::popen((quoted(words) + " 2>/dev/null").c_str(), "r")) {
    char buffer[512];
    while (std::fgets(buffer, sizeof buffer, pipe) != nullptr) out += buffer;
    ::pclose(pipe);
  }
  return out;
}

CompilerFamily family_of(const std::vector<std::string>& compiler) {
  const std::string& path = compiler.back();
  const std::string_view name = std::string_view(path).substr(path.rfind('/') + 1);
  if (name.find("clang") != std::string_view::npos) return CompilerFamily::Clang;
  if (name.find("gcc") != std::string_view::npos || name.find("g++") != std::string_view::npos) {
    return CompilerFamily::Gcc;
  }
  // cc and c++ may be either.
  return version_of(compiler).find("clang") != std::string::npos ? CompilerFamily::Clang
                                                                 : CompilerFamily::Gcc;
}

// The version in a clang's name, "clang++-19", else in what it says; empty: no clang.
std::string clang_version(const std::vector<std::string>& compiler) {
  if (family_of(compiler) != CompilerFamily::Clang) return {};
  const std::string& path = compiler.back();
  const std::size_t dash = path.rfind('-');
  std::string digits = dash == std::string::npos ? "" : path.substr(dash + 1);
  if (digits.empty() || digits.find_first_not_of("0123456789") != std::string::npos) {
    const std::string text = version_of(compiler);
    const std::size_t at = text.find("version ");
    if (at == std::string::npos) return {};
    digits = text.substr(at + 8, text.find('.', at) - at - 8);
  }
  return digits;
}

// The pass for this compiler, if it is a clang that we have one for. STEWARD_PASS=0: none.
std::string plugin_for(const std::vector<std::string>& compiler) {
  if (environment("STEWARD_PASS") == "0") return {};
  const std::string version = clang_version(compiler);
  if (version.empty()) return {};
  std::string file = fmt::format("{}/pass/steward-pass-{}.so", library_root(), version);
  return ::access(file.c_str(), R_OK) == 0 ? file : std::string();
}

int execute(const std::vector<std::string>& command) {
  std::vector<std::string> words = command;
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  ::execvp(argv[0], argv.data());
  const int error = errno;
  fmt::print(stderr, "steward: {}: {}\n", command[0], std::strerror(error));
  return error == ENOENT ? 127 : 126;
}

}  // namespace

void add_compile(CLI::App& app, int&) {
  app.add_subcommand("cc", kHelpC);
  app.add_subcommand("c++", kHelpCxx);
}

int compile_main(int argc, char** argv) {
  const bool cxx = std::strcmp(argv[0], "c++") == 0;
  std::vector<std::string> words;
  bool print = false, jumble = false;
  for (int i = 1; i < argc; ++i) {
    if (std::strcmp(argv[i], "--steward-print") == 0) {
      print = true;
    } else if (std::strcmp(argv[i], "--jumble") == 0) {
      jumble = true;
    } else {
      words.emplace_back(argv[i]);
    }
  }
  const auto complain = [&](const std::string& line) {
    fmt::print(stderr, "steward {}: {}\n", argv[0], line);
    return kExitFailed;
  };
  const std::vector<std::string> compiler = find_compiler(cxx);
  if (compiler.empty()) {
    return complain(fmt::format("no compiler found; set {}", cxx ? "STEWARD_CXX" : "STEWARD_CC"));
  }
  const std::string wanted = environment("STEWARD_TOOL");
  const std::string tool = wanted.empty() ? kDefaultTool : wanted;
  const std::string library = library_folder(tool);
  const bool links = examine(words).links;
  if (links && library.empty()) return complain(no_such_tool(tool));
  const std::string plugin = examine(words).has_input ? plugin_for(compiler) : "";
  if (jumble && examine(words).has_input) {
    if (plugin.empty()) {
      return complain(
          "--jumble needs clang 19 and Steward's pass for it (STEWARD_CC=clang-19 or "
          "STEWARD_CXX=clang++-19, no STEWARD_PASS=0, and a Steward built with llvm-19-dev)");
    }
    // A vector of variables is no variable. In front, as all that is ours.
    words.insert(words.begin(), {"-fno-vectorize", "-fno-slp-vectorize"});
    ::setenv("STEWARD_VALUE_HOOKS", "1", 1);  // for the pass
  }
  const CompilePlan plan = plan_compile(
      compiler, links ? family_of(compiler) : CompilerFamily::Gcc, words, library, plugin);
  if (!plan.error.empty()) return complain(plan.error);
  if (print) {
    fmt::print("{}\n", quoted(plan.command));
    return kExitOk;
  }
  return execute(plan.command);
}

}  // namespace steward::cli
