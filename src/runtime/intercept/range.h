// Accesses to ranges of any size by the functions we stand in front of.
#pragma once

#include "runtime/abi/hook.h"
#include "runtime/intercept/unseen.h"
#include "runtime/shadow/cell.h"
#include "runtime/shadow/untouched.h"
#include "runtime/thread/active.h"

namespace steward::rt {

// Memory handed out, or filled by who counts for nothing.
inline void without_past(ThreadState& t, uptr a, std::size_t size) {
  const RuntimeScope scope(t);
  clear_shadow(a, size);
  note_new_life();
}

inline void touch(ThreadState& t, AccessKind kind, uptr a, std::size_t size, uptr pc) {
  // While checks are off or rest, nobody's shadow is looked at, not even to find it untouched: the
  // kernel maps a page of zeros for the look, which the first access that is sampled there
  // replaces.
  if (kSamples && !is_active()) return;
  // None, or more than there can be: then the call fails.
  if (size - 1 >= kAddressSpace - 1 || a >= kAddressSpace - size || passes_by_region(a, size)) {
    return;
  }
  if (is_unseen(pc)) {
    if (is_write(kind)) without_past(t, a, size);
    return;
  }
  if constexpr (kLockset) {
    if (!same_epoch(t, is_write(kind), a, size)) discipline::check(t, kind, a, size, pc);
  }
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
