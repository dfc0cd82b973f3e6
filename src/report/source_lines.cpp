#include "report/source_lines.h"

#include <fstream>
#include <sys/stat.h>

#include "report/utf8.h"

namespace steward::report {

namespace {

constexpr off_t kLargest = 16 << 20;  // generated files beyond it are no help to a reader

}  // namespace

const std::vector<std::string>& SourceLines::load(const std::string& file) {
  const auto [it, fresh] = files_.try_emplace(file);
  struct stat st {};
  // A name from debug information may be anything, a device or a pipe too.
  if (!fresh || ::stat(file.c_str(), &st) != 0 || !S_ISREG(st.st_mode) || st.st_size > kLargest) {
    return it->second;
  }
  std::ifstream in(file);
  for (std::string line; std::getline(in, line);) {
    if (!line.empty() && line.back() == '\r') line.pop_back();
    for (char& c : line) {
      if (c == '\t') c = ' ';
    }
    it->second.push_back(printable(line));
  }
  return it->second;
}

const std::string& SourceLines::line(const std::string& file, unsigned number) {
  static const std::string none;
  if (file.empty() || number == 0) return none;
  if (const auto lines = embedded_.find(file); lines != embedded_.end()) {
    const auto it = lines->second.find(number);
    if (it != lines->second.end()) return it->second;
  }
  const std::vector<std::string>& lines = load(file);
  return number <= lines.size() ? lines[number - 1] : none;
}

}  // namespace steward::report
