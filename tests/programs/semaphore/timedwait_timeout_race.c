// A timed wait that times out acquires nothing.
// EXPECT: race
#include <errno.h>
#include <semaphore.h>
#include <time.h>

#include "../support/check.h"
#include "../support/in_order.h"

ALONE int x;
ALONE sem_t semaphore;

static void first(void) {
  x = 1;  // RACE A
  sem_post(&semaphore);
  sem_wait(&semaphore);
}
static void second(void) {
  struct timespec past = {0, 0};
  CHECK(sem_timedwait(&semaphore, &past) == -1 && errno == ETIMEDOUT);
  keep(x);  // RACE B
}

int main(void) {
  sem_init(&semaphore, 0, 0);
  in_order(first, second);
  return 0;
}
