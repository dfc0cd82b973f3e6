// <threads.h>. glibc's versions call its pthread functions from inside, past our hooks.
#include <threads.h>
#include <time.h>

#include "runtime/intercept/once.h"
#include "runtime/intercept/start_thread.h"
#include "runtime/intercept/wait.h"

using namespace steward::rt;

REAL(int, thrd_create, thrd_t*, thrd_start_t, void*)
REAL(int, thrd_join, thrd_t, int*)
REAL(int, thrd_detach, thrd_t)
REAL(int, mtx_init, mtx_t*, int)
REAL(int, mtx_lock, mtx_t*)
REAL(int, mtx_timedlock, mtx_t*, const timespec*)
REAL(int, mtx_trylock, mtx_t*)
REAL(int, mtx_unlock, mtx_t*)
REAL(void, mtx_destroy, mtx_t*)
REAL(int, cnd_wait, cnd_t*, mtx_t*)
REAL(int, cnd_timedwait, cnd_t*, mtx_t*, const timespec*)
REAL(void, call_once, once_flag*, void (*)())

static_assert(thrd_success == 0);

STEWARD_HOOK int thrd_create(thrd_t* thread, thrd_start_t function, void* argument) {
  start_runtime();
  ThreadState* t = interceptor_thread();
  if (t == nullptr) return real_thrd_create()(thread, function, argument);
  return start_thread<int>(
      *t, thread, false, function, argument, STEWARD_CALLER,
      [&](thrd_t* made, int (*f)(void*), void* a) { return real_thrd_create()(made, f, a); });
}
STEWARD_HOOK int thrd_join(thrd_t thread, int* result) {
  return join_with(thread, true, [&] { return real_thrd_join()(thread, result); });
}
STEWARD_HOOK int thrd_detach(thrd_t thread) {
  return detach_with(thread, [&] { return real_thrd_detach()(thread); });
}

STEWARD_HOOK int mtx_init(mtx_t* m, int type) {
  renew(m);
  return real_mtx_init()(m, type);
}
STEWARD_HOOK void mtx_destroy(mtx_t* m) {
  real_mtx_destroy()(m);
  renew(m);
}
STEWARD_HOOK int mtx_lock(mtx_t* m) {
  return take(m, SyncKind::Mutex, STEWARD_CALLER, [&] { return real_mtx_lock()(m); });
}
STEWARD_HOOK int mtx_timedlock(mtx_t* m, const timespec* until) {
  return take(m, SyncKind::Mutex, STEWARD_CALLER, [&] { return real_mtx_timedlock()(m, until); });
}
STEWARD_HOOK int mtx_trylock(mtx_t* m) {
  return take(m, SyncKind::Mutex, STEWARD_CALLER, [&] { return real_mtx_trylock()(m); });
}
STEWARD_HOOK int mtx_unlock(mtx_t* m) {
  return give(m, STEWARD_CALLER, [&] { return real_mtx_unlock()(m); });
}

STEWARD_HOOK int cnd_wait(cnd_t* c, mtx_t* m) {
  return wait_with(m, STEWARD_CALLER, [&] { return real_cnd_wait()(c, m); });
}
STEWARD_HOOK int cnd_timedwait(cnd_t* c, mtx_t* m, const timespec* until) {
  return wait_with(
      m, STEWARD_CALLER, [&] { return real_cnd_timedwait()(c, m, until); }, thrd_timedout);
}

STEWARD_HOOK void call_once(once_flag* control, void (*initialise)()) {
  once(control, initialise, [&](void (*f)()) {
    real_call_once()(control, f);
    return 0;
  });
}
