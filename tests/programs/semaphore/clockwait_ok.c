// sem_clockwait on the monotonic clock.
// EXPECT: none
#define _GNU_SOURCE
#include <semaphore.h>
#include <time.h>

#include "../support/check.h"
#include "../support/in_order.h"

int x;
sem_t semaphore;

static void first(void) {
  x = 1;
  sem_post(&semaphore);
}
static void second(void) {
  struct timespec later;
  clock_gettime(CLOCK_MONOTONIC, &later);
  later.tv_sec += 1000;
  CHECK(sem_clockwait(&semaphore, CLOCK_MONOTONIC, &later) == 0);
  keep(x);
}

int main(void) {
  sem_init(&semaphore, 0, 0);
  in_order(first, second);
  return 0;
}
