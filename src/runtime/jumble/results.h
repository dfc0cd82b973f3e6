// What a jumbled run leaves behind: a file mapped into the process, so that it is whole however the
// process ends. `steward classify` reads it.
#pragma once

#include <cstdint>

#include "core/jumble/rules.h"

namespace steward::rt::jumble {

inline constexpr std::uint64_t kResultsMagic = 0x3165'6c62'6d75'6a73;  // "sjumble1"

struct StackCopy {
  static constexpr unsigned kMax = 30;
  std::uint32_t size = 0;
  std::uint32_t thread = 0;
  std::uint64_t pcs[kMax] = {};
};

// A read that was given a stale value.
struct StaleRead {
  std::uint64_t address = 0;
  std::uint64_t given = 0;
  std::uint64_t latest = 0;
  std::uint32_t size = 0;
  std::uint32_t candidates = 0;
  std::uint64_t count = 0;  // such reads in a row, by the same instruction with the same values
  StackCopy read;
  StackCopy written;      // the write whose value was given; empty: the initial value
  StackCopy overwritten;  // the latest write, which the read did not see
};

struct Results {
  std::uint64_t magic;
  steward::jumble::RuleCounts rules;
  std::uint64_t locations;                      // that were jumbled
  std::uint64_t crowded_out;                    // that were too many
  std::uint64_t unseen;                         // writes that nobody announced
  std::uint64_t largest_uncompressed, largest;  // write buffers: Figure 10's last columns
  std::uint64_t stale;                          // reads ever; the last ones are below
  static constexpr unsigned kKept = 16;
  StaleRead last[kKept];  // [stale distinct % kKept]
  std::uint64_t distinct;
};

}  // namespace steward::rt::jumble
