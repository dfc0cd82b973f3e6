#include "cli/compile.h"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fmt/format.h>
#include <string>
#include <unistd.h>
#include <vector>

#include "cli/compile_command.h"
#include "cli/compiler.h"
#include "cli/exit_code.h"
#include "cli/runtime_library.h"

namespace steward::cli {

namespace {

constexpr const char* kHelpC = R"(Compile C for 'steward run': for use as CC, or in gcc's place.

All arguments are the compiler's; --steward-print shows the command instead. STEWARD_CC names the
compiler (default: clang-19, else gcc, clang or cc), STEWARD_TOOL the runtime to link. With
STEWARD_PASS=0 clang calls the detector for every access instead of checking inline. --jumble builds
for 'steward classify' (clang 19): loads and stores carry their values. --lockset builds for 'steward
run --tool lockset' (clang): it is told of pointers that are loaded and stored. --record builds for
'steward record' (clang): no access is left out, and instructions are counted.)";
constexpr const char* kHelpCxx =
    R"(Compile C++ for 'steward run': for use as CXX, or in g++'s place.

All arguments are the compiler's; --steward-print shows the command instead. STEWARD_CXX names the
compiler (default: clang++-19, else g++, clang++ or c++), STEWARD_TOOL the runtime to link. With
STEWARD_PASS=0 clang calls the detector for every access instead of checking inline. --jumble builds
for 'steward classify' (clang 19): loads and stores carry their values. --lockset builds for 'steward
run --tool lockset' (clang): it is told of pointers that are loaded and stored. --record builds for
'steward record' (clang): no access is left out, and instructions are counted.)";

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
  bool print = false, jumble = false, lockset = false, record = false;
  for (int i = 1; i < argc; ++i) {
    if (std::strcmp(argv[i], "--steward-print") == 0) {
      print = true;
    } else if (std::strcmp(argv[i], "--jumble") == 0) {
      jumble = true;
    } else if (std::strcmp(argv[i], "--lockset") == 0) {
      lockset = true;
    } else if (std::strcmp(argv[i], "--record") == 0) {
      record = true;
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
  const char* wanted = std::getenv("STEWARD_TOOL");
  const std::string tool = wanted == nullptr || *wanted == '\0' ? kDefaultTool : wanted;
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
  if (lockset && examine(words).has_input) {
    if (plugin.empty()) {
      return complain(
          "--lockset needs clang and Steward's pass for it (STEWARD_CC=clang-19 or "
          "STEWARD_CXX=clang++-19, no STEWARD_PASS=0); without it the lockset tool sees a "
          "pointer handed over when it is used");
    }
    ::setenv("STEWARD_POINTER_HOOKS", "1", 1);  // for the pass
  }
  if (record && examine(words).has_input) {
    if (plugin.empty()) {
      return complain(
          "--record needs clang and Steward's pass for it (STEWARD_CC=clang-19 or "
          "STEWARD_CXX=clang++-19, no STEWARD_PASS=0, and a Steward built with llvm-19-dev); what is "
          "built without it can be recorded too, without instruction counts");
    }
    if (jumble) return complain("--record and --jumble do not go together");
    // ThreadSanitizer's own pass leaves out a read that a write of the same bytes follows.
    words.insert(words.begin(), {"-mllvm", "-tsan-instrument-read-before-write=1"});
    ::setenv("STEWARD_COUNT_INSTRUCTIONS", "1", 1);  // for the pass
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
