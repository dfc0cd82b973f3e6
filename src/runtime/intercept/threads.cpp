// Threads: fork and join edges, ends, names.
#include <pthread.h>
#include <time.h>

#include "runtime/intercept/start_thread.h"
#include "runtime/intercept/unseen.h"

using namespace steward::rt;

REAL(int, pthread_create, pthread_t*, const pthread_attr_t*, void* (*)(void*), void*)
REAL(int, pthread_join, pthread_t, void**)
REAL(int, pthread_tryjoin_np, pthread_t, void**)
REAL(int, pthread_timedjoin_np, pthread_t, void**, const timespec*)
REAL(int, pthread_clockjoin_np, pthread_t, void**, clockid_t, const timespec*)
REAL(int, pthread_detach, pthread_t)
REAL(int, pthread_setname_np, pthread_t, const char*)

STEWARD_HOOK int pthread_create(pthread_t* thread, const pthread_attr_t* attr,
                                void* (*function)(void*), void* argument) {
  start_runtime();
  ThreadState* t = interceptor_thread();
  if (t == nullptr) return real_pthread_create()(thread, attr, function, argument);
  look_for_unseen();
  int detached = PTHREAD_CREATE_JOINABLE;
  if (attr != nullptr) pthread_attr_getdetachstate(attr, &detached);
  return start_thread<void*>(*t, thread, detached == PTHREAD_CREATE_DETACHED, function, argument,
                             STEWARD_CALLER, [&](pthread_t* made, void* (*f)(void*), void* a) {
                               return real_pthread_create()(made, attr, f, a);
                             });
}

STEWARD_HOOK int pthread_join(pthread_t thread, void** value) {
  return join_with(thread, true, [&] { return real_pthread_join()(thread, value); });
}
STEWARD_HOOK int pthread_tryjoin_np(pthread_t thread, void** value) {
  return join_with(thread, false, [&] { return real_pthread_tryjoin_np()(thread, value); });
}
STEWARD_HOOK int pthread_timedjoin_np(pthread_t thread, void** value, const timespec* until) {
  return join_with(thread, false,
                   [&] { return real_pthread_timedjoin_np()(thread, value, until); });
}
STEWARD_HOOK int pthread_clockjoin_np(pthread_t thread, void** value, clockid_t clock,
                                      const timespec* until) {
  return join_with(thread, false,
                   [&] { return real_pthread_clockjoin_np()(thread, value, clock, until); });
}
STEWARD_HOOK int pthread_detach(pthread_t thread) {
  return detach_with(thread, [&] { return real_pthread_detach()(thread); });
}
STEWARD_HOOK int pthread_setname_np(pthread_t thread, const char* name) {
  ThreadState* t = interceptor_thread();
  if (t != nullptr) {
    ThreadState* named = pthread_equal(thread, pthread_self()) ? t : find_by_handle(thread);
    if (named != nullptr) name_thread(*named, name);
  }
  return real_pthread_setname_np()(thread, name);
}
