#include "cli/child_words.h"

#include <string_view>
#include <unistd.h>

namespace steward::cli {

std::vector<std::string> environment(const std::map<std::string, std::string>& changes) {
  std::vector<std::string> out;
  for (char** one = environ; *one != nullptr; ++one) {
    const std::string_view text = *one;
    if (!changes.contains(std::string(text.substr(0, text.find('='))))) out.emplace_back(text);
  }
  for (const auto& [key, value] : changes) out.push_back(key + "=" + value);
  return out;
}

std::vector<char*> pointers(std::vector<std::string>& words) {
  std::vector<char*> out;
  for (std::string& word : words) out.push_back(word.data());
  out.push_back(nullptr);
  return out;
}

}  // namespace steward::cli
