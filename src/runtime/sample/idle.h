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
inline void end_idle([[maybe_unused]] ThreadState& t, [[maybe_unused]] bool by_time = false) {
  if constexpr (kSamples) {
    const int saved_errno = errno;
    __atomic_store_n(&t.idle, false, __ATOMIC_RELEASE);
    has_waited(t, by_time);
    errno = saved_errno;
  }
}

// What the end of a wait orders, and whether nothing but time ended it, by its result.
inline constexpr auto nothing_received = [](const auto&) {};
inline constexpr auto never_by_time = [](const auto&) { return false; };
inline constexpr auto if_none = [](auto result) { return result == 0; };
inline constexpr auto if_too_late = [](auto result) {
  return result < 0 && (errno == ETIMEDOUT || errno == EAGAIN);
};

// `real` waits, and is a cancellation point.
template <class Real, class Receive, class ByTime>
auto idly(ThreadState* t, Real real, Receive receive, ByTime by_time) {
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
  end_idle(*t, by_time(result));
  receive(result);
  awake(*t);
  return result;
}

}  // namespace steward::rt
