#include "cli/runtime_library.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fmt/format.h>

#include "cli/suggest.h"

namespace steward::cli {

namespace fs = std::filesystem;

std::string library_file(const std::string& folder) {
  return folder + "/libtsan.so.2";
}

std::string library_root() {
  if (const char* given = std::getenv("STEWARD_LIBDIR"); given != nullptr && *given != '\0') {
    std::error_code error;
    const fs::path absolute = fs::absolute(given, error);
    return error ? given : absolute.lexically_normal().string();
  }
  std::error_code error;
  const fs::path self = fs::read_symlink("/proc/self/exe", error);
  if (error) return {};
  return (self.parent_path().parent_path() / "lib" / "steward").string();
}

std::string library_folder(const std::string& tool) {
  // A name, not a path.
  if (tool.empty() || tool.find('/') != std::string::npos || tool[0] == '.') return {};
  const std::string folder = library_root() + "/" + tool;
  std::error_code error;
  return fs::is_regular_file(library_file(folder), error) ? folder : std::string();
}

std::vector<std::string> tools() {
  std::vector<std::string> names;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(library_root(), error)) {
    std::string name = entry.path().filename().string();
    if (!library_folder(name).empty()) names.push_back(std::move(name));
  }
  std::sort(names.begin(), names.end());
  return names;
}

std::string no_such_tool(const std::string& tool) {
  const std::vector<std::string> names = tools();
  if (names.empty()) {
    return fmt::format("no runtime library in {}; set STEWARD_LIBDIR to the folder that holds {}/",
                       library_root(), tool);
  }
  const std::string meant = suggestion(tool, names);
  return fmt::format("no tool '{}'{}; there are: {}", tool,
                     meant.empty() ? "" : fmt::format(" (did you mean '{}'?)", meant),
                     fmt::join(names, ", "));
}

}  // namespace steward::cli
