// A failed try of the program's own lock acquires nothing.
// EXPECT: race
#include "../support/annotations.h"
#include "../support/in_order.h"

ALONE int x;
ALONE int lock;

static void first(void) {
  CALL(__tsan_mutex_pre_lock, &lock, 0);
  CALL(__tsan_mutex_post_lock, &lock, 0, 0);
  x = 1;  // RACE A
  if (__tsan_mutex_pre_unlock) __tsan_mutex_pre_unlock(&lock, 0);
  CALL(__tsan_mutex_post_unlock, &lock, 0);
}
static void second(void) {
  CALL(__tsan_mutex_pre_lock, &lock, kMutexTryLock);
  CALL(__tsan_mutex_post_lock, &lock, kMutexTryLock | kMutexTryLockFailed, 0);
  keep(x);  // RACE B
}

int main(void) {
  CALL(__tsan_mutex_create, &lock, kMutexNotStatic);
  in_order(first, second);
  return 0;
}
