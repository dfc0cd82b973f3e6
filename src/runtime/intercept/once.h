// One-time initialisation: whoever returns comes after the initialiser.
#pragma once

#include "runtime/intercept/real.h"
#include "runtime/sync/sync_object.h"

// once_run.c: runs the initialiser, and steward_once_ended whether it returns or throws.
extern "C" void steward_run_initialiser(void (*initialise)(), void* control);

namespace steward::rt {

struct Once {
  void (*initialise)();
  uptr control;
};
// The call in progress of this thread. The real functions take a plain function: it finds what to
// do here, and takes it before it runs, so that an initialiser may have a once of its own.
inline thread_local Once once_now;

inline void run_once() {
  const Once mine = once_now;
  // An attempt that threw comes before this one.
  if (ThreadState* t = interceptor_thread()) acquire(*t, mine.control);
  steward_run_initialiser(mine.initialise, reinterpret_cast<void*>(mine.control));
}

template <class Call>
auto once(const volatile void* control, void (*initialise)(), Call real) {
  once_now = {initialise, address(control)};
  auto result = real(run_once);
  if (ThreadState* t = interceptor_thread()) acquire(*t, address(control));
  return result;
}

}  // namespace steward::rt
