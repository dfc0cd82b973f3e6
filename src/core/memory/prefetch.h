// Asks the machine's memory for a line that will be needed.
#pragma once

namespace steward {

// The empty statement is no ornament: GCC takes a function that only prefetches for one without
// effect, and drops the calls of it.
[[gnu::always_inline]] inline void prefetch_line(const void* p) {
  __builtin_prefetch(p);
  asm volatile("");
}

}  // namespace steward
