// LiteRace: is the function that the thread runs sampled, this time? Decided at its entry and kept
// in its frame of the shadow stack, so that a return, an exception or a jump ends it by itself.
// With the other tools all of this is nothing.
#pragma once

#include "runtime/thread/thread_state.h"
#include "runtime/tool.h"

namespace steward::rt {

// Code outside any function that announces itself is always sampled.
inline bool in_burst([[maybe_unused]] const ThreadState& t) {
#if STEWARD_BURSTS
  return t.top == t.base || t.top[-1].sampled;
#else
  return true;
#endif
}

#if STEWARD_BURSTS
// At a function's entry, before its frame is there. `function`: an address that only it has.
bool begin_execution(ThreadState& t, uptr function);
#endif

}  // namespace steward::rt
