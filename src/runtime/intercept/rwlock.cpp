// Readers-writer locks. A reader comes after the writers before it, a writer after readers as well;
// two readers are not ordered (SyncObject::readers).
#include <pthread.h>
#include <time.h>

#include "runtime/intercept/lock.h"

using namespace steward::rt;

REAL(int, pthread_rwlock_init, pthread_rwlock_t*, const pthread_rwlockattr_t*)
REAL(int, pthread_rwlock_destroy, pthread_rwlock_t*)
REAL(int, pthread_rwlock_rdlock, pthread_rwlock_t*)
REAL(int, pthread_rwlock_tryrdlock, pthread_rwlock_t*)
REAL(int, pthread_rwlock_timedrdlock, pthread_rwlock_t*, const timespec*)
REAL(int, pthread_rwlock_clockrdlock, pthread_rwlock_t*, clockid_t, const timespec*)
REAL(int, pthread_rwlock_wrlock, pthread_rwlock_t*)
REAL(int, pthread_rwlock_trywrlock, pthread_rwlock_t*)
REAL(int, pthread_rwlock_timedwrlock, pthread_rwlock_t*, const timespec*)
REAL(int, pthread_rwlock_clockwrlock, pthread_rwlock_t*, clockid_t, const timespec*)
REAL(int, pthread_rwlock_unlock, pthread_rwlock_t*)

namespace {

template <class Take>
int take_shared(pthread_rwlock_t* l, uptr pc, Take real) {
  const int result = real();
  if (result != 0) return result;
  if (ThreadState* t = user_of(address(l), pc)) {
    note_taken_shared(*t, address(l), SyncKind::RwLock, pc);
  }
  return result;
}

// Which side an unlock gives up. A thread holding more locks than we list asks the lock itself, as
// glibc's unlock does.
bool holds_for_writing(const ThreadState& t, const pthread_rwlock_t* l) {
  for (std::uint32_t i = 0; i < t.held_count; ++i) {
    if (t.held[i].address == address(l)) return t.held[i].write;
  }
  return __atomic_load_n(&l->__data.__cur_writer, __ATOMIC_RELAXED) == sys::tid();
}

}  // namespace

STEWARD_HOOK int pthread_rwlock_init(pthread_rwlock_t* l, const pthread_rwlockattr_t* attr) {
  renew(l);
  return real_pthread_rwlock_init()(l, attr);
}
STEWARD_HOOK int pthread_rwlock_destroy(pthread_rwlock_t* l) {
  const int result = real_pthread_rwlock_destroy()(l);
  if (result == 0) renew(l);
  return result;
}
STEWARD_HOOK int pthread_rwlock_rdlock(pthread_rwlock_t* l) {
  return take_shared(l, STEWARD_CALLER, [&] { return real_pthread_rwlock_rdlock()(l); });
}
STEWARD_HOOK int pthread_rwlock_tryrdlock(pthread_rwlock_t* l) {
  return take_shared(l, STEWARD_CALLER, [&] { return real_pthread_rwlock_tryrdlock()(l); });
}
STEWARD_HOOK int pthread_rwlock_timedrdlock(pthread_rwlock_t* l, const timespec* until) {
  return take_shared(l, STEWARD_CALLER,
                     [&] { return real_pthread_rwlock_timedrdlock()(l, until); });
}
STEWARD_HOOK int pthread_rwlock_clockrdlock(pthread_rwlock_t* l, clockid_t clock,
                                            const timespec* until) {
  return take_shared(l, STEWARD_CALLER,
                     [&] { return real_pthread_rwlock_clockrdlock()(l, clock, until); });
}
STEWARD_HOOK int pthread_rwlock_wrlock(pthread_rwlock_t* l) {
  return take(l, SyncKind::RwLock, STEWARD_CALLER, [&] { return real_pthread_rwlock_wrlock()(l); });
}
STEWARD_HOOK int pthread_rwlock_trywrlock(pthread_rwlock_t* l) {
  return take(l, SyncKind::RwLock, STEWARD_CALLER,
              [&] { return real_pthread_rwlock_trywrlock()(l); });
}
STEWARD_HOOK int pthread_rwlock_timedwrlock(pthread_rwlock_t* l, const timespec* until) {
  return take(l, SyncKind::RwLock, STEWARD_CALLER,
              [&] { return real_pthread_rwlock_timedwrlock()(l, until); });
}
STEWARD_HOOK int pthread_rwlock_clockwrlock(pthread_rwlock_t* l, clockid_t clock,
                                            const timespec* until) {
  return take(l, SyncKind::RwLock, STEWARD_CALLER,
              [&] { return real_pthread_rwlock_clockwrlock()(l, clock, until); });
}
STEWARD_HOOK int pthread_rwlock_unlock(pthread_rwlock_t* l) {
  if (ThreadState* t = user_of(address(l), STEWARD_CALLER); t != nullptr && !is_idly_given(*t)) {
    if (holds_for_writing(*t, l)) {
      note_given(*t, address(l));
    } else {
      note_given_shared(*t, address(l));
    }
  }
  return real_pthread_rwlock_unlock()(l);
}
