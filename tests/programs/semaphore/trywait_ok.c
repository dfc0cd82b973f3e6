// A trywait that succeeds is a wait.
// EXPECT: none
#include <semaphore.h>

#include "../support/check.h"
#include "../support/in_order.h"

int x;
sem_t semaphore;

static void first(void) {
  x = 1;
  sem_post(&semaphore);
}
static void second(void) {
  CHECK(sem_trywait(&semaphore) == 0);
  keep(x);
}

int main(void) {
  sem_init(&semaphore, 0, 0);
  in_order(first, second);
  return 0;
}
