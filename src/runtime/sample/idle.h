// Threads that wait in the kernel, for a connection or a time, pass nothing on and receive nothing:
// what others have sampled could race with what they do afterwards, and so stays alive as long as
// they wait. But until then nobody needs checks whose clock has all of it. So while those who have
// not are all idle, accesses are not checked (Checks::OrderOnly), and whoever wakes up without
// having received it all switches checks on before it does anything.
#pragma once

#include <errno.h>
#include <pthread.h>

#include "runtime/sample/period.h"

namespace steward::rt {

// Written before who is idle is looked at for the last time, and the sampler's fence comes between:
// so either the look finds a thread awake, or the thread finds this.
inline std::atomic<bool> checks_may_rest{false};
void awake_slow(ThreadState& t);

// It goes on, having received what came with the end of its wait.
inline void awake([[maybe_unused]] ThreadState& t) {
  if constexpr (kSamples) {
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    if (__builtin_expect(checks_may_rest.load(std::memory_order_relaxed), 0)) awake_slow(t);
  }
}

// At 100% no period's end is waited for.
inline std::atomic<bool> samples_always{false};

inline void begin_idle([[maybe_unused]] ThreadState& t) {
  if constexpr (kSamples) {
    if (!samples_always.load(std::memory_order_relaxed)) about_to_wait(t);
    __atomic_store_n(&t.idle, true, __ATOMIC_RELEASE);
  }
}
inline void end_idle([[maybe_unused]] ThreadState& t) {
  if constexpr (kSamples) {
    const int saved_errno = errno;
    __atomic_store_n(&t.idle, false, __ATOMIC_RELEASE);
    has_waited(t);
    errno = saved_errno;
  }
}

// `real` waits, and is a cancellation point; `receive(result)` is what its end orders.
template <class Real, class Receive>
auto idly(ThreadState* t, Real real, Receive receive) {
  if (t == nullptr) return real();
  decltype(real()) result;
  if constexpr (!kSamples) {
    result = real();
    receive(result);
    return result;
  }
  begin_idle(*t);
  auto cancelled = [](void* p) {
    auto& thread = *static_cast<ThreadState*>(p);
    end_idle(thread);
    awake(thread);
  };
  pthread_cleanup_push(cancelled, t);
  result = real();
  pthread_cleanup_pop(0);
  end_idle(*t);
  receive(result);
  awake(*t);
  return result;
}
template <class Real>
auto idly(ThreadState* t, Real real) {
  return idly(t, real, [](const auto&) {});
}

}  // namespace steward::rt
