// pthread_mutex_clocklock with the monotonic clock.
// EXPECT: none
#define _GNU_SOURCE
#include <time.h>

#include "../support/check.h"
#include "../support/in_order.h"

int x;
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void update(void) {
  struct timespec later;
  clock_gettime(CLOCK_MONOTONIC, &later);
  later.tv_sec += 1000;
  CHECK(pthread_mutex_clocklock(&mutex, CLOCK_MONOTONIC, &later) == 0);
  ++x;
  pthread_mutex_unlock(&mutex);
}

int main(void) {
  in_order(update, update);
  return 0;
}
