// Threads of the program's own making, many on one kernel thread. A fiber is a thread like any
// other; a switch orders what was before it in the old one before what follows in the new one,
// unless the program says that it is not to count.
#include "runtime/abi/hook.h"
#include "runtime/intercept/real.h"
#include "runtime/sync/sync_object.h"

using namespace steward::rt;

STEWARD_HOOK void* __tsan_get_current_fiber() {
  start_runtime();
  return &self();
}
STEWARD_HOOK void* __tsan_create_fiber(unsigned) {
  start_runtime();
  ThreadState* fiber = make_fiber(self(), STEWARD_CALLER);
  fiber->info->os_id = sys::tid();
  return fiber;
}
STEWARD_HOOK void __tsan_destroy_fiber(void* fiber) {
  if (fiber != nullptr && fiber != current) end_fiber(*static_cast<ThreadState*>(fiber));
}
STEWARD_HOOK void __tsan_switch_to_fiber(void* fiber, unsigned flags) {
  constexpr unsigned kNoSync = 1;
  ThreadState& from = self();
  auto& to = *static_cast<ThreadState*>(fiber);
  if (&from == &to) return;
  if constexpr (kTraces) {
    // The fiber's state is an address of nobody's but ours: it can stand for what is handed over.
    const bool syncs = (flags & kNoSync) == 0;
    if (syncs) release_merge(from, reinterpret_cast<uptr>(&to));
    switch_fiber(to);
    if (syncs) acquire(to, reinterpret_cast<uptr>(&to));
    return;
  }
  if ((flags & kNoSync) == 0) {
    const RuntimeScope scope(from);  // `to` runs nowhere: its clock is ours to change
    join_clock(to, from.clock);
    increment(from);
  }
  switch_fiber(to);
}
STEWARD_HOOK void __tsan_set_fiber_name(void* fiber, const char* name) {
  name_thread(*static_cast<ThreadState*>(fiber), name);
}
