#include "cli/suggest.h"

#include <algorithm>

namespace steward::cli {

namespace {

// Levenshtein's distance: insertions, deletions and replacements.
std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({replaced, row[j] + 1, row[j - 1] + 1});
    }
  }
  return row[b.size()];
}

}  // namespace

std::string suggestion(std::string_view typed, const std::vector<std::string>& candidates) {
  std::string best;
  std::size_t nearest = std::max<std::size_t>(typed.size() / 3, 1) + 1;  // exclusive
  for (const std::string& candidate : candidates) {
    const bool begun = typed.size() >= 2 && candidate.starts_with(typed);
    const std::size_t d = begun ? 0 : distance(typed, candidate);
    if (d < nearest) {
      nearest = d;
      best = candidate;
    }
  }
  return best;
}

}  // namespace steward::cli
