// Text in columns: the first to the left, numbers to the right.
#pragma once

#include <string>
#include <vector>

namespace steward::cli {

class Table {
 public:
  void row(std::vector<std::string> cells) { rows_.push_back(std::move(cells)); }

  // Each line starts with `indent` blanks and ends with a line feed.
  std::string text(unsigned indent) const;

 private:
  std::vector<std::vector<std::string>> rows_;
};

}  // namespace steward::cli
