#include "cli/run_folder.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fmt/format.h>

namespace steward::cli {

RunFolder::~RunFolder() {
  std::error_code error;
  if (!path_.empty()) std::filesystem::remove_all(path_, error);
}

std::string RunFolder::make() {
  const char* given = std::getenv("TMPDIR");
  const std::string parent = given != nullptr && *given != '\0' ? given : "/tmp";
  std::string name = parent + "/steward-XXXXXX";
  if (::mkdtemp(name.data()) == nullptr) {
    return fmt::format("cannot make a folder for the records in {}: {}; TMPDIR can name another",
                       parent, std::strerror(errno));
  }
  std::error_code error;
  // The target may change its folder.
  path_ = std::filesystem::absolute(name, error).string();
  if (error) path_ = name;
  return {};
}

}  // namespace steward::cli
