#include "cli/compiler.h"

#include <cstdio>
#include <cstdlib>
#include <fmt/format.h>
#include <sstream>
#include <string_view>
#include <unistd.h>

#include "cli/runtime_library.h"

namespace steward::cli {

namespace {

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

}  // namespace

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

std::string plugin_for(const std::vector<std::string>& compiler) {
  if (environment("STEWARD_PASS") == "0") return {};
  const std::string version = clang_version(compiler);
  if (version.empty()) return {};
  std::string file = fmt::format("{}/pass/steward-pass-{}.so", library_root(), version);
  return ::access(file.c_str(), R_OK) == 0 ? file : std::string();
}

}  // namespace steward::cli
