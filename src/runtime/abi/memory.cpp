// Copies and fills that clang (15 and later) announces in memcpy's place.
#include "runtime/intercept/copy.h"
#include "runtime/intercept/range.h"
#include "runtime/intercept/real.h"
#include "runtime/lockset/discipline.h"

using namespace steward::rt;

STEWARD_HOOK void* __tsan_memcpy(void* to, const void* from, unsigned long n) {
  if (ThreadState* t = interceptor_thread()) {
    reads(*t, from, n, STEWARD_CALLER);
    writes(*t, to, n, STEWARD_CALLER);
    if constexpr (kLockset) discipline::copied(*t, address(from), address(to), n);
  }
  return plain::copy(to, from, n);
}
STEWARD_HOOK void* __tsan_memmove(void* to, const void* from, unsigned long n) {
  if (ThreadState* t = interceptor_thread()) {
    reads(*t, from, n, STEWARD_CALLER);
    writes(*t, to, n, STEWARD_CALLER);
    if constexpr (kLockset) discipline::copied(*t, address(from), address(to), n);
  }
  return plain::move(to, from, n);
}
STEWARD_HOOK void* __tsan_memset(void* to, int c, unsigned long n) {
  if (ThreadState* t = interceptor_thread()) writes(*t, to, n, STEWARD_CALLER);
  return plain::fill(to, c, n);
}
