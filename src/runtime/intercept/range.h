// Accesses to ranges of any size by the functions we stand in front of.
#pragma once

#include "runtime/abi/hook.h"

namespace steward::rt {

// Has this epoch written (or, for a read, read) every byte? Granule by granule what the inline
// checks ask of a word; a loop over a buffer costs a comparison for each eight bytes.
inline bool range_same_epoch(const ThreadState& t, bool write, uptr a, std::size_t size) {
  const uptr end = a + size;
  const auto epoch = static_cast<std::uint32_t>(t.word);
  for (uptr g = a & ~uptr{7}; g < end; g += 8) {
    const bool low = g + 4 > a, high = end > g + 4;
    auto fits = [&](std::uint64_t w) {
      return (!low || static_cast<std::uint32_t>(w) == epoch) &&
             (!high || static_cast<std::uint32_t>(w >> 32) == epoch);
    };
    const ShadowCell seen = ShadowCell::of(g).load();
    if (!fits(seen.write) && (write || !Word(seen.write).is_plain() || !fits(seen.read)))
      return false;
  }
  return true;
}

inline void touch(ThreadState& t, AccessKind kind, uptr a, std::size_t size, uptr pc) {
  if (size == 0 || a >= kAddressSpace - size) return;
  if (range_same_epoch(t, is_write(kind), a, size)) return;
  check_access(t, kind, a, size, pc);
}
inline void reads(ThreadState& t, const volatile void* p, std::size_t size, uptr pc) {
  touch(t, AccessKind::Read, address(p), size, pc);
}
inline void writes(ThreadState& t, volatile void* p, std::size_t size, uptr pc) {
  touch(t, AccessKind::Write, address(p), size, pc);
}

}  // namespace steward::rt

// A hook for a function that the headers declare otherwise (overloaded, or with other qualifiers).
#define STEWARD_HOOK_AS(result, name, parameters)          \
  extern "C" result hook_##name parameters __asm__(#name); \
  STEWARD_HOOK result hook_##name parameters
