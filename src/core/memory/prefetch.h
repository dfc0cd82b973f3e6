// Asks the machine's memory for a line that will be needed.
#pragma once

namespace steward {

// The empty statement is no ornament: GCC takes a function that only prefetches for one without
// effect, and drops the calls of it.
[[gnu::always_inline]] inline void prefetch_line(const void* p) {
  __builtin_prefetch(p);
  asm volatile("");
}

// The same for a line that will be written: it comes without others' copies of it. Written out,
// since compilers emit the shared kind for processors that might be old; one that does not know
// the instruction does nothing.
[[gnu::always_inline]] inline void prefetch_line_to_write(const void* p) {
  asm volatile("prefetchw %0" : : "m"(*static_cast<const char*>(p)));
}

}  // namespace steward
