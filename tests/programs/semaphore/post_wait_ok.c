// A post orders what came before it with the wait that takes it.
// EXPECT: none
#include <semaphore.h>

#include "../support/in_order.h"

int x;
sem_t semaphore;

static void first(void) {
  x = 1;
  sem_post(&semaphore);
}
static void second(void) {
  sem_wait(&semaphore);
  keep(x);
}

int main(void) {
  sem_init(&semaphore, 0, 0);
  in_order(first, second);
  sem_destroy(&semaphore);
  return 0;
}
