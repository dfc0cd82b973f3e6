// A timed wait that succeeds.
// EXPECT: none
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
  struct timespec later = {time(0) + 1000, 0};
  CHECK(sem_timedwait(&semaphore, &later) == 0);
  keep(x);
}

int main(void) {
  sem_init(&semaphore, 0, 0);
  in_order(first, second);
  return 0;
}
