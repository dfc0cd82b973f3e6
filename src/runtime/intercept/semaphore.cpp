// Semaphores. A wait comes after the posts before it, all of them: which one it took cannot be
// told.
#include <fcntl.h>
#include <semaphore.h>
#include <stdarg.h>
#include <time.h>

#include "runtime/intercept/lock.h"
#include "runtime/sample/idle.h"

using namespace steward::rt;

REAL(int, sem_init, sem_t*, int, unsigned)
REAL(int, sem_destroy, sem_t*)
REAL(int, sem_post, sem_t*)
REAL(int, sem_wait, sem_t*)
REAL(int, sem_trywait, sem_t*)
REAL(int, sem_timedwait, sem_t*, const timespec*)
REAL(int, sem_clockwait, sem_t*, clockid_t, const timespec*)
REAL(int, sem_getvalue, sem_t*, int*)

namespace {
template <class Wait>
int wait(sem_t* s, Wait real) {
  ThreadState* t = interceptor_thread();
  if (t != nullptr) about_to_wait(*t);
  return idly(
      t, real,
      [&](int result) {
        if (result == 0) acquire(*t, address(s));
      },
      if_too_late);
}
}  // namespace

STEWARD_HOOK int sem_init(sem_t* s, int shared, unsigned value) {
  renew(s);
  return real_sem_init()(s, shared, value);
}
STEWARD_HOOK int sem_destroy(sem_t* s) {
  const int result = real_sem_destroy()(s);
  if (result == 0) renew(s);
  return result;
}
STEWARD_HOOK int sem_post(sem_t* s) {
  if (ThreadState* t = interceptor_thread()) release_merge(*t, address(s));
  return real_sem_post()(s);
}
STEWARD_HOOK int sem_wait(sem_t* s) {
  return wait(s, [&] { return real_sem_wait()(s); });
}
STEWARD_HOOK int sem_trywait(sem_t* s) {
  return wait(s, [&] { return real_sem_trywait()(s); });
}
STEWARD_HOOK int sem_timedwait(sem_t* s, const timespec* until) {
  return wait(s, [&] { return real_sem_timedwait()(s, until); });
}
STEWARD_HOOK int sem_clockwait(sem_t* s, clockid_t clock, const timespec* until) {
  return wait(s, [&] { return real_sem_clockwait()(s, clock, until); });
}
// Looking at the value orders nothing.
STEWARD_HOOK int sem_getvalue(sem_t* s, int* value) {
  return real_sem_getvalue()(s, value);
}
// Opening maps memory, which mmap's hook does not see from inside libc; a name opened twice in a
// process is one address, so its clock is one.
REAL(sem_t*, sem_open, const char*, int, ...)
STEWARD_HOOK sem_t* sem_open(const char* name, int flags, ...) {
  mode_t mode = 0;
  unsigned value = 0;
  if ((flags & O_CREAT) != 0) {
    va_list rest;
    va_start(rest, flags);
    mode = va_arg(rest, mode_t);
    value = va_arg(rest, unsigned);
    va_end(rest);
  }
  sem_t* s = real_sem_open()(name, flags, mode, value);
  if (s != SEM_FAILED && started()) cover(address(s), sizeof *s);
  return s;
}
REAL(int, sem_close, sem_t*)
REAL(int, sem_unlink, const char*)
STEWARD_HOOK int sem_close(sem_t* s) {
  return real_sem_close()(s);
}
STEWARD_HOOK int sem_unlink(const char* name) {
  return real_sem_unlink()(name);
}
