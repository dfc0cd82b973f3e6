// Lines of source files, for showing them below a frame.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace steward::report {

class SourceLines {
 public:
  // Without line feed, tabs as one blank each. Empty: the file cannot be read, or has no such line.
  const std::string& line(const std::string& file, unsigned number);

 private:
  const std::vector<std::string>& load(const std::string& file);

  std::map<std::string, std::vector<std::string>> files_;
};

}  // namespace steward::report
