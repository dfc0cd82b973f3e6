#include "cli/table.h"

#include <algorithm>
#include <fmt/format.h>
#include <iterator>

namespace steward::cli {

std::string Table::text(unsigned indent) const {
  std::vector<std::size_t> widths;
  for (const auto& cells : rows_) {
    if (widths.size() < cells.size()) widths.resize(cells.size());
    for (std::size_t i = 0; i < cells.size(); ++i) widths[i] = std::max(widths[i], cells[i].size());
  }
  std::string out;
  for (const auto& cells : rows_) {
    std::string line(indent, ' ');
    for (std::size_t i = 0; i < cells.size(); ++i) {
      const auto to = std::back_inserter(line);
      if (i == 0) {
        fmt::format_to(to, "{:<{}}", cells[i], widths[i]);
      } else {
        fmt::format_to(to, "  {:>{}}", cells[i], widths[i]);
      }
    }
    line.erase(line.find_last_not_of(' ') + 1);
    out += line + '\n';
  }
  return out;
}

}  // namespace steward::cli
