// Mutexes of all kinds, and spin locks. Recursive ones synchronise at the outermost level only as
// far as anyone can tell: inner levels join and publish what this thread has already.
#include <pthread.h>
#include <time.h>

#include "runtime/intercept/lock.h"

using namespace steward::rt;

REAL(int, pthread_mutex_init, pthread_mutex_t*, const pthread_mutexattr_t*)
REAL(int, pthread_mutex_destroy, pthread_mutex_t*)
REAL(int, pthread_mutex_lock, pthread_mutex_t*)
REAL(int, pthread_mutex_trylock, pthread_mutex_t*)
REAL(int, pthread_mutex_timedlock, pthread_mutex_t*, const timespec*)
REAL(int, pthread_mutex_clocklock, pthread_mutex_t*, clockid_t, const timespec*)
REAL(int, pthread_mutex_unlock, pthread_mutex_t*)
REAL(int, pthread_spin_init, pthread_spinlock_t*, int)
REAL(int, pthread_spin_destroy, pthread_spinlock_t*)
REAL(int, pthread_spin_lock, pthread_spinlock_t*)
REAL(int, pthread_spin_trylock, pthread_spinlock_t*)
REAL(int, pthread_spin_unlock, pthread_spinlock_t*)

namespace {

// An unlock that is going to fail gives nothing: the kinds that check find that we are not the
// owner.
bool will_fail(const ThreadState& t, const pthread_mutex_t* m) {
  if (is_held(t, address(m))) return false;
  const int kind = m->__data.__kind;
  const bool checks = (kind & 3) == PTHREAD_MUTEX_RECURSIVE_NP ||
                      (kind & 3) == PTHREAD_MUTEX_ERRORCHECK_NP ||
                      is_robust(address(m), SyncKind::Mutex);
  return checks && __atomic_load_n(&m->__data.__owner, __ATOMIC_RELAXED) != sys::tid();
}

}  // namespace

STEWARD_HOOK int pthread_mutex_init(pthread_mutex_t* m, const pthread_mutexattr_t* attr) {
  renew(m);
  return real_pthread_mutex_init()(m, attr);
}
STEWARD_HOOK int pthread_mutex_destroy(pthread_mutex_t* m) {
  const int result = real_pthread_mutex_destroy()(m);
  if (result == 0) renew(m);
  return result;
}
STEWARD_HOOK int pthread_mutex_lock(pthread_mutex_t* m) {
  return take(m, SyncKind::Mutex, STEWARD_CALLER, [&] { return real_pthread_mutex_lock()(m); });
}
STEWARD_HOOK int pthread_mutex_trylock(pthread_mutex_t* m) {
  return take(m, SyncKind::Mutex, STEWARD_CALLER, [&] { return real_pthread_mutex_trylock()(m); });
}
STEWARD_HOOK int pthread_mutex_timedlock(pthread_mutex_t* m, const timespec* until) {
  return take(m, SyncKind::Mutex, STEWARD_CALLER,
              [&] { return real_pthread_mutex_timedlock()(m, until); });
}
STEWARD_HOOK int pthread_mutex_clocklock(pthread_mutex_t* m, clockid_t clock,
                                         const timespec* until) {
  return take(m, SyncKind::Mutex, STEWARD_CALLER,
              [&] { return real_pthread_mutex_clocklock()(m, clock, until); });
}
STEWARD_HOOK int pthread_mutex_unlock(pthread_mutex_t* m) {
  ThreadState* t = user_of(address(m), STEWARD_CALLER);
  if (t != nullptr && !is_idly_given(*t) && !will_fail(*t, m)) note_given(*t, address(m));
  return real_pthread_mutex_unlock()(m);
}

STEWARD_HOOK int pthread_spin_init(pthread_spinlock_t* s, int shared) {
  renew(s);
  return real_pthread_spin_init()(s, shared);
}
STEWARD_HOOK int pthread_spin_destroy(pthread_spinlock_t* s) {
  const int result = real_pthread_spin_destroy()(s);
  renew(s);
  return result;
}
STEWARD_HOOK int pthread_spin_lock(pthread_spinlock_t* s) {
  return take(s, SyncKind::Spin, STEWARD_CALLER, [&] { return real_pthread_spin_lock()(s); });
}
STEWARD_HOOK int pthread_spin_trylock(pthread_spinlock_t* s) {
  return take(s, SyncKind::Spin, STEWARD_CALLER, [&] { return real_pthread_spin_trylock()(s); });
}
STEWARD_HOOK int pthread_spin_unlock(pthread_spinlock_t* s) {
  return give(s, STEWARD_CALLER, [&] { return real_pthread_spin_unlock()(s); });
}
