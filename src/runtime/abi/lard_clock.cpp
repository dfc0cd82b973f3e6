// LARD's ReadVC and WriteVC (section 4.1): the calling thread's vector clock, for run-time systems
// that keep clocks of their own. An entry is a slot (core/clock/slots.h). Entries only rise, and
// never above what their thread has told, so that no use of this can break the detector's own
// order.
#include "runtime/abi/hook.h"
#include "runtime/abi/lard.h"
#include "runtime/intercept/real.h"
#include "runtime/sync/sync_object.h"

using namespace steward::rt;
using steward::Clock;
using steward::Slot;

STEWARD_HOOK std::uint32_t __steward_lard_clock_size() {
  clocks_are_told.store(true, std::memory_order_relaxed);
  return interceptor_thread() == nullptr ? 0 : static_cast<std::uint32_t>(registry_stats().slots);
}
STEWARD_HOOK std::uint32_t __steward_lard_clock_self() {
  clocks_are_told.store(true, std::memory_order_relaxed);
  const ThreadState* t = interceptor_thread();
  return t == nullptr ? 0 : raw(t->now().slot());
}
STEWARD_HOOK std::uint64_t __steward_lard_read_vc(std::uint32_t entry) {
  clocks_are_told.store(true, std::memory_order_relaxed);
  const ThreadState* t = interceptor_thread();
  return t == nullptr ? 0 : t->clock[Slot{entry}];
}

STEWARD_HOOK void __steward_lard_write_vc(std::uint32_t entry, std::uint64_t value) {
  clocks_are_told.store(true, std::memory_order_relaxed);
  ThreadState* t = interceptor_thread();
  if (t == nullptr) return;
  const Slot s{entry};
  const Clock now = t->clock[s];
  if (value == now) return;
  if (value < now) {
    return misuse(*t, "an entry of the thread's vector clock is lowered", STEWARD_CALLER);
  }
  const RuntimeScope scope(*t);
  if (s != t->now().slot()) {
    if (value > told_clock(s)) {
      return misuse(*t, "an entry of the vector clock is raised above what its thread has told",
                    STEWARD_CALLER);
    }
#if STEWARD_SAMPLES
    LiveClock told(t->pool);
    told.set(s, static_cast<Clock>(value));
    join_clock(*t, told);  // a clock that changes gets a new version
#else
    t->clock.set(s, static_cast<Clock>(value));
#endif
    return;
  }
  // A slot that is full is changed for another: the thread's own entry is then elsewhere.
  if (value - now > kClockLimit) {
    return misuse(*t, "the thread's own entry of the vector clock is raised too far",
                  STEWARD_CALLER);
  }
  for (Clock last = 0; t->now().slot() == s && t->clock[s] < value && t->clock[s] != last;) {
    last = t->clock[s];  // stands still while a sampling tool does not sample
    increment(*t);
  }
}
