// While a thread is in here it may hold the runtime's locks, so the program's signal handlers wait;
// they run as soon as it leaves (intercept/signals.cpp).
#pragma once

#include "runtime/thread/thread_state.h"

namespace steward::rt {

void run_pending_signals(ThreadState& t);

// Left where no scope was: an owner's section.
inline void leave_runtime(ThreadState& t) {
  if (t.busy == 0 && t.pending_signals != 0) run_pending_signals(t);
}

class RuntimeScope {
 public:
  explicit RuntimeScope(ThreadState& t) : t_(t) {
    ++t_.busy;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
  }
  ~RuntimeScope() {
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    if (--t_.busy == 0 && __builtin_expect(t_.pending_signals != 0, 0)) run_pending_signals(t_);
  }
  RuntimeScope(const RuntimeScope&) = delete;
  RuntimeScope& operator=(const RuntimeScope&) = delete;

 private:
  ThreadState& t_;
};

}  // namespace steward::rt
