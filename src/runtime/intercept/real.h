// The functions we stand in front of.
//
//   REAL(int, pthread_mutex_lock, pthread_mutex_t*);
//   STEWARD_HOOK int pthread_mutex_lock(pthread_mutex_t* m) { ... real_pthread_mutex_lock()(m) ...
//   }
//
// Looked up at first use: a library's constructor may call before ours ran.
#pragma once

#include <dlfcn.h>

#include "runtime/abi/hook.h"
#include "runtime/thread/active.h"
#include "runtime/thread/runtime_scope.h"

namespace steward::rt {

void* find_real(const char* name);  // dies if there is none
void* find_real_version(const char* name, const char* version);

// The calling thread for an interceptor: null when the runtime is not up, or the thread is inside
// it (then the real function is all there is to do).
inline ThreadState* interceptor_thread() {
  if (__builtin_expect(current == no_thread, 0)) {
    if (!started()) return nullptr;
    self();
  }
  return current->busy == 0 && current->epoch != 0 ? current : nullptr;
}
// Asked first by the functions that are called most: then the real one is all there is to do.
inline bool checks_are_off() {
  return kSamples && !is_active();
}
// The same for one that has nothing to do but to check ranges.
inline ThreadState* checking_thread() {
  return checks_are_off() ? nullptr : interceptor_thread();
}

}  // namespace steward::rt

#define REAL(result, name, ...)                                          \
  static auto real_##name() {                                            \
    using Function = result (*)(__VA_ARGS__);                            \
    static Function f;                                                   \
    Function now = __atomic_load_n(&f, __ATOMIC_RELAXED);                \
    if (now == nullptr) {                                                \
      now = reinterpret_cast<Function>(::steward::rt::find_real(#name)); \
      __atomic_store_n(&f, now, __ATOMIC_RELAXED);                       \
    }                                                                    \
    return now;                                                          \
  }

#define REAL_VERSION(result, name, version, ...)                                          \
  static auto real_##name() {                                                             \
    using Function = result (*)(__VA_ARGS__);                                             \
    static Function f;                                                                    \
    Function now = __atomic_load_n(&f, __ATOMIC_RELAXED);                                 \
    if (now == nullptr) {                                                                 \
      now = reinterpret_cast<Function>(::steward::rt::find_real_version(#name, version)); \
      __atomic_store_n(&f, now, __ATOMIC_RELAXED);                                        \
    }                                                                                     \
    return now;                                                                           \
  }
