// What is to be jumbled: the file that STEWARD_JUMBLE names, one `word value` a line.
#pragma once

#include "core/jumble/choose.h"
#include "runtime/platform/linux/sys.h"

namespace steward::rt::jumble {

struct Config {
  std::uint64_t seed = 1;
  steward::jumble::Heuristic heuristic = steward::jumble::Heuristic::SequentiallyConsistent;
  unsigned unit = 8;  // plain accesses wider than this are torn into parts of it
  bool all_atomics = false;
  static constexpr unsigned kMax = 4096;
  std::uint32_t variables[kMax] = {};  // hashes of names, as in a site's upper half
  unsigned variable_count = 0;
  std::uint32_t lines[kMax] = {};  // hashes of places, as in its lower half
  unsigned line_count = 0;
  std::uint32_t indices[64] = {};  // of array elements; none: all
  unsigned index_count = 0;
  char results[4096] = {};
};

// False: there is none, and nothing is jumbled.
bool read_config(Config& c);

}  // namespace steward::rt::jumble
