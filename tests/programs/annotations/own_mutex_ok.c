// A program's own lock, described by the __tsan_mutex_ calls.
// EXPECT: none
#include "../support/annotations.h"
#include "../support/in_order.h"

ALONE int x;
ALONE int lock;

static void update(void) {
  CALL(__tsan_mutex_pre_lock, &lock, 0);
  CALL(__tsan_mutex_post_lock, &lock, 0, 0);
  ++x;
  if (__tsan_mutex_pre_unlock) __tsan_mutex_pre_unlock(&lock, 0);
  CALL(__tsan_mutex_post_unlock, &lock, 0);
}

int main(void) {
  CALL(__tsan_mutex_create, &lock, kMutexNotStatic);
  in_order(update, update);
  CALL(__tsan_mutex_destroy, &lock, 0);
  return 0;
}
