#include "cli/openmp.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fmt/format.h>
#include <set>
#include <string_view>
#include <vector>

#include "cli/shared_libraries.h"
#include "report/elf_file.h"
#include "report/frames.h"

namespace steward::cli {

namespace {

namespace fs = std::filesystem;

bool is_libgomp(std::string_view path) {
  return report::base_name(path).starts_with("libgomp.so");
}
bool is_libomp(std::string_view path) {
  const std::string_view name = report::base_name(path);
  return name.starts_with("libomp.so") || name.starts_with("libiomp5.so");
}

bool has_chosen() {
  const char* tool = std::getenv("OMP_TOOL");
  return std::getenv("OMP_TOOL_LIBRARIES") != nullptr ||
         (tool != nullptr && std::string_view(tool) == "disabled");
}

// Archer is of the version of libomp that it lies beside.
std::string archer_beside(const std::string& libomp) {
  std::error_code error;
  const fs::path real = fs::canonical(libomp, error);
  const std::string archer = real.parent_path() / "libarcher.so";
  return !error && fs::exists(archer, error) ? archer : "";
}

// Those that are installed and have Archer, the newest first.
std::vector<std::string> installed() {
  std::vector<std::pair<int, std::string>> found;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator("/usr/lib", error)) {
    const std::string name = entry.path().filename();
    const std::string libomp = entry.path() / "lib/libomp.so.5";
    if (!name.starts_with("llvm-") || archer_beside(libomp).empty()) continue;
    found.emplace_back(std::atoi(name.c_str() + 5), libomp);
  }
  std::sort(found.rbegin(), found.rend());
  std::vector<std::string> paths;
  for (auto& [version, path] : found) paths.push_back(std::move(path));
  return paths;
}

bool is_openmp(std::string_view symbol) {
  return symbol.starts_with("GOMP_") || symbol.starts_with("omp_");
}

// The first function of OpenMP that one of the files asks for and the library has not.
std::string lacking(const std::vector<std::string>& files, const std::string& libomp) {
  const std::vector<std::string> all = report::dynamic_symbols(libomp, true);
  const std::set<std::string> has(all.begin(), all.end());
  for (const std::string& file : files) {
    for (std::string& name : report::dynamic_symbols(file, false)) {
      if (is_openmp(name) && !has.contains(name)) return std::move(name);
    }
  }
  return {};
}

}  // namespace

bool is_of_openmp(std::string_view path) {
  return is_libgomp(path) || is_libomp(path);
}

OpenMp look_for_openmp(const std::string& program) {
  std::vector<std::string> files = libraries_of(program);
  OpenMp out;
  out.replaces = std::any_of(files.begin(), files.end(), is_libgomp);
  const auto libomp = std::find_if(files.begin(), files.end(), is_libomp);
  if (!out.replaces && libomp == files.end()) return out;
  if (has_chosen()) {
    out.order = OpenMp::Order::Theirs;
    return out;
  }
  const std::vector<std::string> at_hand =
      libomp != files.end() ? std::vector<std::string>{*libomp} : installed();
  std::erase_if(files, is_libgomp);
  files.push_back(program);
  out.order = OpenMp::Order::Missing;
  for (const std::string& runtime : at_hand) {
    out.archer = archer_beside(runtime);
    if (out.archer.empty()) continue;
    out.runtime = runtime;
    out.lacks = out.replaces ? lacking(files, runtime) : std::string();
    out.order = out.lacks.empty() ? OpenMp::Order::Told : OpenMp::Order::Foreign;
    if (out.order == OpenMp::Order::Told) break;
  }
  return out;
}

void tell_order(const OpenMp& openmp, std::map<std::string, std::string>& environment) {
  if (openmp.order != OpenMp::Order::Told) return;
  environment["OMP_TOOL_LIBRARIES"] = openmp.archer;
  if (openmp.replaces) environment["LD_PRELOAD"] += ":" + openmp.runtime;
  std::string& own = environment["STEWARD_OPTIONS"];
  constexpr std::string_view kUnseen = "unseen=";
  if (own.find(kUnseen) == std::string::npos)
    own += fmt::format("{}{}", own.empty() ? "" : ":", kUnseen);
  own.insert(own.find(kUnseen) + kUnseen.size(), "libomp.so|libiomp5.so|libarcher.so|");
  // The same for ThreadSanitizer, of which Archer warns if it is missing.
  const char* options = std::getenv("TSAN_OPTIONS");
  const std::string given = options != nullptr ? options : "";
  constexpr std::string_view kAsked = "ignore_noninstrumented_modules";
  if (given.find(kAsked) == std::string::npos) {
    environment["TSAN_OPTIONS"] = fmt::format("{}{}{}=1", given, given.empty() ? "" : " ", kAsked);
  }
}

std::string say(const OpenMp& openmp) {
  switch (openmp.order) {
    case OpenMp::Order::Told:
      return openmp.replaces ? fmt::format(
                                   "OpenMP: {} runs in place of gcc's libgomp, which does "
                                   "not tell what it orders (OMP_TOOL=disabled: not so)",
                                   openmp.runtime)
                             : "";
    case OpenMp::Order::Missing:
      return "OpenMP: no libomp with its libarcher.so is here to tell what OpenMP orders; expect "
             "false reports: install libomp-dev, or suppress what is false";
    case OpenMp::Order::Foreign:
      return fmt::format(
          "OpenMP: {} has no {}, so gcc's libgomp runs, which does not tell what it orders; expect "
          "false reports: install a newer libomp-dev, or suppress what is false",
          openmp.runtime, openmp.lacks);
    default:
      return "";
  }
}

}  // namespace steward::cli
