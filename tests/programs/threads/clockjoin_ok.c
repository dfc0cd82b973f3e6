// pthread_clockjoin_np on the monotonic clock is a join.
// EXPECT: none
#define _GNU_SOURCE
#include <time.h>

#include "../support/check.h"
#include "../support/in_order.h"

int x;

static void* thread(void* unused) {
  x = 1;
  return unused;
}

int main(void) {
  pthread_t t;
  struct timespec later;
  clock_gettime(CLOCK_MONOTONIC, &later);
  later.tv_sec += 1000;
  pthread_create(&t, 0, thread, 0);
  CHECK(pthread_clockjoin_np(t, 0, CLOCK_MONOTONIC, &later) == 0);
  x = 2;
  return 0;
}
