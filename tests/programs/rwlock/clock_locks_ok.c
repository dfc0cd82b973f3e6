// pthread_rwlock_clockwrlock and pthread_rwlock_clockrdlock.
// EXPECT: none
#define _GNU_SOURCE
#include <time.h>

#include "../support/check.h"
#include "../support/in_order.h"

int x;
pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

static struct timespec later(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  t.tv_sec += 1000;
  return t;
}
static void write_it(void) {
  struct timespec t = later();
  CHECK(pthread_rwlock_clockwrlock(&lock, CLOCK_MONOTONIC, &t) == 0);
  ++x;
  pthread_rwlock_unlock(&lock);
}
static void read_it(void) {
  struct timespec t = later();
  CHECK(pthread_rwlock_clockrdlock(&lock, CLOCK_MONOTONIC, &t) == 0);
  keep(x);
  pthread_rwlock_unlock(&lock);
}

int main(void) {
  in_order3(write_it, read_it, write_it);
  return 0;
}
