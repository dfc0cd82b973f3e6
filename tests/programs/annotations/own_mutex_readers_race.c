// Two threads hold the program's own lock for reading, and one writes.
// EXPECT: race
#include "../support/annotations.h"
#include "../support/in_order.h"

ALONE int x;
ALONE int lock;

static void lock_to_read(void) {
  CALL(__tsan_mutex_pre_lock, &lock, kMutexReadLock);
  CALL(__tsan_mutex_post_lock, &lock, kMutexReadLock, 0);
}
static void unlock(void) {
  if (__tsan_mutex_pre_unlock) __tsan_mutex_pre_unlock(&lock, kMutexReadLock);
  CALL(__tsan_mutex_post_unlock, &lock, kMutexReadLock);
}
static void first(void) {
  lock_to_read();
  x = 1;  // RACE A
  unlock();
}
static void second(void) {
  lock_to_read();
  keep(x);  // RACE B
  unlock();
}

int main(void) {
  CALL(__tsan_mutex_create, &lock, kMutexNotStatic);
  in_order(first, second);
  return 0;
}
