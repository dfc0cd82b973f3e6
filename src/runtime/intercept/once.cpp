// pthread_once, and the guards of function-local statics.
#include "runtime/intercept/once.h"

#include <linux/futex.h>
#include <pthread.h>

using namespace steward::rt;

extern "C" void steward_once_ended(void* control) {
  if (ThreadState* t = interceptor_thread()) release(*t, address(control));
}

REAL(int, pthread_once, pthread_once_t*, void (*)())

STEWARD_HOOK int pthread_once(pthread_once_t* control, void (*initialise)()) {
  return once(control, initialise, [&](void (*f)()) { return real_pthread_once()(control, f); });
}

// Ours entirely, so that a program without libstdc++.so has them too. The Itanium ABI fixes the
// first byte of a guard (1: done), which compiled code looks at by itself; the others are the
// library's.
namespace {

using Guard = std::uint32_t;
constexpr Guard kDone = 1, kBusy = 1 << 8, kWaiters = 1 << 16;

void settle(Guard* g, Guard value) {
  if ((__atomic_exchange_n(g, value, __ATOMIC_ACQ_REL) & kWaiters) != 0) {
    sys::call(SYS_futex, reinterpret_cast<long>(g), FUTEX_WAKE_PRIVATE, 0x7fff'ffff);
  }
}

}  // namespace

STEWARD_HOOK int __cxa_guard_acquire(Guard* g) {
  for (;;) {
    Guard seen = 0;
    if (__atomic_compare_exchange_n(g, &seen, kBusy, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) {
      // An attempt that threw comes before this one.
      if (ThreadState* t = interceptor_thread()) acquire(*t, address(g));
      return 1;
    }
    if ((seen & 0xff) == kDone) {
      if (ThreadState* t = interceptor_thread()) acquire(*t, address(g));
      return 0;
    }
    if ((seen & kWaiters) == 0 &&
        !__atomic_compare_exchange_n(g, &seen, seen | kWaiters, false, __ATOMIC_ACQ_REL,
                                     __ATOMIC_ACQUIRE)) {
      continue;
    }
    sys::call(SYS_futex, reinterpret_cast<long>(g), FUTEX_WAIT_PRIVATE,
              static_cast<long>(kBusy | kWaiters));
  }
}
STEWARD_HOOK void __cxa_guard_release(Guard* g) {
  if (ThreadState* t = interceptor_thread()) release(*t, address(g));
  settle(g, kDone);
}
STEWARD_HOOK void __cxa_guard_abort(Guard* g) {
  if (ThreadState* t = interceptor_thread()) release(*t, address(g));
  settle(g, 0);
}
