// pthread_rwlock_timedwrlock and pthread_rwlock_timedrdlock.
// EXPECT: none
#include <time.h>

#include "../support/check.h"
#include "../support/in_order.h"

int x;
pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

static void write_it(void) {
  struct timespec later = {time(0) + 1000, 0};
  CHECK(pthread_rwlock_timedwrlock(&lock, &later) == 0);
  ++x;
  pthread_rwlock_unlock(&lock);
}
static void read_it(void) {
  struct timespec later = {time(0) + 1000, 0};
  CHECK(pthread_rwlock_timedrdlock(&lock, &later) == 0);
  keep(x);
  pthread_rwlock_unlock(&lock);
}

int main(void) {
  in_order3(write_it, read_it, write_it);
  return 0;
}
