// The jumbled locations, and quick answers to "is this one?": nearly all accesses are to none.
#pragma once

#include "runtime/jumble/config.h"
#include "runtime/thread/thread_state.h"

namespace steward::rt::jumble {

// Read without a lock. A byte that is 0 says no for certain.
inline constexpr unsigned kFilter = 1 << 12, kAddressFilter = 1 << 16;
struct Filters {
  std::uint8_t variables[kFilter];
  std::uint8_t lines[kFilter];
  std::uint8_t addresses[kAddressFilter];  // of locations, by granule; grows only
  bool all_atomics;
};
extern Filters filters;

inline std::uint8_t& address_filter(uptr a) {
  return filters.addresses[(a >> 3) * 0x9e37'79b9'7f4a'7c15u >> 48];
}
inline bool may_be_jumbled_site(std::uint64_t site) {
  return (filters.variables[site >> 32 & (kFilter - 1)] |
          filters.lines[site >> 1 & (kFilter - 1)]) != 0;
}
inline bool may_be_location(uptr a) {
  return __atomic_load_n(&address_filter(a), __ATOMIC_RELAXED) != 0;
}

// Of code that carries values. `site` is what src/pass/value_hooks.cpp tells.
std::uint64_t read(uptr a, unsigned size, std::uint64_t site, uptr pc);
void write(uptr a, unsigned size, std::uint64_t value, std::uint64_t site, uptr pc);

}  // namespace steward::rt::jumble
