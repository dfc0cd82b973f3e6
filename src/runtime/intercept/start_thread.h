// Starting a thread, by whichever interface.
#pragma once

#include <errno.h>

#include "runtime/intercept/real.h"
#include "runtime/lockset/discipline.h"
#include "runtime/sample/census.h"
#include "runtime/sample/idle.h"

namespace steward::rt {

template <class Result>
Result run_thread(void* p) {
  auto& t = *static_cast<ThreadState*>(p);
  auto* function = reinterpret_cast<Result (*)(void*)>(t.start_function);
  void* argument = t.start_argument;
  const std::uint64_t signals = t.start_signals;
  enter_thread(t);
  sys::SignalsBlocked::undo(signals);
  if constexpr (kLockset) discipline::argument_passed(t, reinterpret_cast<uptr>(argument));
  return function(argument);
}

// `real(handle, function, argument)` makes the thread; 0 is success. From then on the child's state
// is the child's: it may be gone already.
template <class Result, class Handle, class Create>
int start_thread(ThreadState& t, Handle* thread, bool detached, Result (*function)(void*),
                 void* argument, uptr pc, Create real) {
  ThreadState& child = *make_child(t, pc);
  child.start_function = reinterpret_cast<void*>(function);
  child.start_argument = argument;
  child.detached = detached;
  // What libc does to make a thread (its stack, its TLS) is not the program's doing.
  ++t.ignore_accesses;
  ++t.ignore_sync;
  const std::uint32_t id = child.info->id;
  int result;
  {
    // A handler that ran in it before it is known would be another thread's, which never ends.
    const sys::SignalsBlocked guard;
    child.start_signals = guard.before();
    result = real(thread, run_thread<Result>, static_cast<void*>(&child));
  }
  --t.ignore_accesses;
  --t.ignore_sync;
  if (result != 0) {
    abandon_child(child);
  } else if (!detached) {
    note_handle(id, *thread);
  }
  return result;
}

// `ends`: it does not return before the thread has ended.
template <class Join>
int join_with(uptr thread, bool ends, Join real) {
  ThreadState* t = interceptor_thread();
  ThreadState* child = t != nullptr ? find_by_handle(thread) : nullptr;
  if (t != nullptr) about_to_wait(*t);
  if (kSamples && child != nullptr && ends) note_joining(*t, child);
  const int result = real();
  if (t != nullptr) has_waited(*t, result == ETIMEDOUT);
  if (result == 0 && child != nullptr) {
    join_thread(*t, *child);
  } else if (kSamples && child != nullptr && ends) {
    note_joining(*t, nullptr);
  }
  if (t != nullptr) awake(*t);
  return result;
}

template <class Detach>
int detach_with(uptr thread, Detach real) {
  ThreadState* t = interceptor_thread();
  ThreadState* child = t != nullptr ? find_by_handle(thread) : nullptr;
  const int result = real();
  if (result == 0 && child != nullptr) detach_thread(*child);
  return result;
}

}  // namespace steward::rt
