// Condition variables. Signalling orders nothing by itself (a wake-up may be spurious): what orders
// the threads is the mutex. glibc has two implementations under one name; the older one, for
// binaries from before 2.3.2, keeps its state elsewhere, so we must ask for the newer by version.
#include <time.h>

#include "runtime/intercept/wait.h"

using namespace steward::rt;

REAL_VERSION(int, pthread_cond_init, "GLIBC_2.3.2", pthread_cond_t*, const pthread_condattr_t*)
REAL_VERSION(int, pthread_cond_destroy, "GLIBC_2.3.2", pthread_cond_t*)
REAL_VERSION(int, pthread_cond_signal, "GLIBC_2.3.2", pthread_cond_t*)
REAL_VERSION(int, pthread_cond_broadcast, "GLIBC_2.3.2", pthread_cond_t*)
REAL_VERSION(int, pthread_cond_wait, "GLIBC_2.3.2", pthread_cond_t*, pthread_mutex_t*)
REAL_VERSION(int, pthread_cond_timedwait, "GLIBC_2.3.2", pthread_cond_t*, pthread_mutex_t*,
             const timespec*)
REAL(int, pthread_cond_clockwait, pthread_cond_t*, pthread_mutex_t*, clockid_t, const timespec*)

STEWARD_HOOK int pthread_cond_init(pthread_cond_t* c, const pthread_condattr_t* attr) {
  return real_pthread_cond_init()(c, attr);
}
STEWARD_HOOK int pthread_cond_destroy(pthread_cond_t* c) {
  return real_pthread_cond_destroy()(c);
}
STEWARD_HOOK int pthread_cond_signal(pthread_cond_t* c) {
  return real_pthread_cond_signal()(c);
}
STEWARD_HOOK int pthread_cond_broadcast(pthread_cond_t* c) {
  return real_pthread_cond_broadcast()(c);
}
STEWARD_HOOK int pthread_cond_wait(pthread_cond_t* c, pthread_mutex_t* m) {
  return wait_with(m, STEWARD_CALLER, [&] { return real_pthread_cond_wait()(c, m); });
}
STEWARD_HOOK int pthread_cond_timedwait(pthread_cond_t* c, pthread_mutex_t* m,
                                        const timespec* until) {
  return wait_with(m, STEWARD_CALLER, [&] { return real_pthread_cond_timedwait()(c, m, until); });
}
STEWARD_HOOK int pthread_cond_clockwait(pthread_cond_t* c, pthread_mutex_t* m, clockid_t clock,
                                        const timespec* until) {
  return wait_with(m, STEWARD_CALLER,
                   [&] { return real_pthread_cond_clockwait()(c, m, clock, until); });
}
