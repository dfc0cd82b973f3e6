// Lines of source files, for showing them below a frame.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "report/model.h"

namespace steward::report {

class SourceLines {
 public:
  SourceLines() = default;
  // Lines that came with a report rule over the files, which may have changed since.
  explicit SourceLines(Sources embedded) : embedded_(std::move(embedded)) {}

  // Without line feed, tabs as one blank each. Empty: the file cannot be read, or has no such line.
  const std::string& line(const std::string& file, unsigned number);
  // Lines of the file itself; 0: it cannot be read.
  std::size_t count(const std::string& file) { return load(file).size(); }

 private:
  const std::vector<std::string>& load(const std::string& file);

  Sources embedded_;
  std::map<std::string, std::vector<std::string>> files_;
};

}  // namespace steward::report
