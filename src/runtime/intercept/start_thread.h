// Starting a thread, by whichever interface.
#pragma once

#include "runtime/intercept/real.h"

namespace steward::rt {

template <class Result>
struct Start {
  Result (*function)(void*);
  void* argument;
  ThreadState* state;
  std::atomic<bool> taken;  // the child has read all it needs: the parent may return
};

template <class Result>
Result run_thread(void* p) {
  auto* start = static_cast<Start<Result>*>(p);
  Result (*function)(void*) = start->function;
  void* argument = start->argument;
  enter_thread(*start->state);
  start->taken.store(true, std::memory_order_release);
  return function(argument);
}

// `real(handle, function, argument)` makes the thread; 0 is success.
template <class Result, class Handle, class Create>
int start_thread(ThreadState& t, Handle* thread, bool detached, Result (*function)(void*),
                 void* argument, uptr pc, Create real) {
  Start<Result> start{function, argument, make_child(t, pc), {false}};
  ThreadState& child = *start.state;
  Handle made;
  // What libc does to make a thread (its stack, its TLS) is not the program's doing.
  ++t.ignore_accesses;
  ++t.ignore_sync;
  const int result = real(&made, run_thread<Result>, static_cast<void*>(&start));
  --t.ignore_accesses;
  --t.ignore_sync;
  if (result != 0) {
    abandon_child(child);
    return result;
  }
  *thread = made;
  // `start` is on this stack, and a detached child may be gone soon: both must be through with it.
  note_handle(child, made, detached);
  while (!start.taken.load(std::memory_order_acquire)) sys::yield();
  return 0;
}

template <class Join>
int join_with(uptr thread, Join real) {
  ThreadState* t = interceptor_thread();
  ThreadState* child = t != nullptr ? find_by_handle(thread) : nullptr;
  const int result = real();
  if (result == 0 && child != nullptr) join_thread(*t, *child);
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
