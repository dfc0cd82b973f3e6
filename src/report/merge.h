// Which raw races are one race to a reader.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "report/model.h"

namespace steward::report {

// What two raw races have in common when they are told as one. The order of the two accesses
// never matters, nor do their kinds: `x++` twice reads and writes in every combination.
enum class Merge : unsigned char {
  ByStack,     // both stacks, function by function and line by line
  ByTop,       // the innermost frame of each
  ByLocation,  // the variable, or the place of the allocation
};

std::optional<Merge> merge_named(std::string_view name);

std::string merge_key(const Race& race, Merge merge);

class Merger {
 public:
  explicit Merger(Merge merge) : merge_(merge) {}

  // The index under which its like was added; nothing: it is the first, and has `index` now.
  std::optional<std::size_t> add(const Race& race, std::size_t index);

 private:
  Merge merge_;
  std::unordered_map<std::string, std::size_t> seen_;
};

}  // namespace steward::report
