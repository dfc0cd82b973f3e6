#include "cli/target_environment.h"

#include <cstdlib>
#include <filesystem>

#include "cli/runtime_library.h"

namespace steward::cli {

namespace {

std::string prepended(const std::string& first, const char* variable) {
  const char* old = std::getenv(variable);
  return old != nullptr && *old != '\0' ? first + ":" + old : first;
}

}  // namespace

// The loader splits its lists at blanks and colons and knows no escapes: a library below such a
// folder is reached by a link without them.
std::string plain_library_folder(const std::string& folder, const std::string& scratch) {
  if (folder.find_first_of(" :;\t\n$") == std::string::npos) return folder;
  std::error_code error;
  std::filesystem::create_directory_symlink(folder, scratch + "/lib", error);
  return error ? folder : scratch + "/lib";
}

std::map<std::string, std::string> tool_environment(const std::string& library,
                                                    const std::string& records,
                                                    const std::string& options) {
  return {{"LD_PRELOAD", prepended(library_file(library), "LD_PRELOAD")},
          // clang's -shared-libsan asks for our library by another name, which is found here
          {"LD_LIBRARY_PATH", prepended(library, "LD_LIBRARY_PATH")},
          {"STEWARD_RECORD", records},
          {"STEWARD_OPTIONS", options}};
}

}  // namespace steward::cli
