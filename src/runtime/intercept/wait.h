// Waiting on a condition: the mutex is given before and taken again after, also when the thread is
// cancelled while it waits, since its cleanup handlers run with the mutex held.
#pragma once

#include <errno.h>
#include <pthread.h>

#include "runtime/intercept/lock.h"
#include "runtime/sample/idle.h"

namespace steward::rt {

struct Waiting {
  ThreadState* thread;
  uptr mutex;
  uptr pc;
  bool timed_out = false;
};
inline void note_waiting([[maybe_unused]] ThreadState& t, [[maybe_unused]] uptr mutex) {
  if constexpr (kSamples) {  // sample/census.cpp reads the two
    __atomic_store_n(&t.waiting_for, mutex, __ATOMIC_RELEASE);
    __atomic_store_n(&t.waits, t.waits + 1, __ATOMIC_RELEASE);
  }
}
inline void retake(void* p) {
  const auto* w = static_cast<const Waiting*>(p);
  note_waiting(*w->thread, 0);
  has_waited(*w->thread, w->timed_out);
  note_retaken(*w->thread, w->mutex, SyncKind::Mutex, w->pc);
  awake(*w->thread);
}

// `timed_out`: what `real` says then.
template <class Mutex, class Wait>
int wait_with(Mutex* mutex, uptr pc, Wait real, int timed_out = ETIMEDOUT) {
  Waiting waiting{interceptor_thread(), address(mutex), pc};
  if (waiting.thread == nullptr) return real();
  if (is_unseen(pc) && !is_held(*waiting.thread, waiting.mutex)) {
    about_to_wait(*waiting.thread);
    const int result = real();
    has_waited(*waiting.thread);
    return result;
  }
  about_to_wait(*waiting.thread);
  note_given(*waiting.thread, waiting.mutex);
  note_waiting(*waiting.thread, waiting.mutex);
  int result;
  pthread_cleanup_push(retake, &waiting);
  result = real();
  waiting.timed_out = result == timed_out;
  pthread_cleanup_pop(1);
  return result;
}

}  // namespace steward::rt
