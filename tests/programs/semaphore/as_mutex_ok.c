// A semaphore that starts at one is a lock.
// EXPECT: none
#include <semaphore.h>

#include "../support/in_order.h"

int x;
sem_t semaphore;

static void update(void) {
  sem_wait(&semaphore);
  ++x;
  sem_post(&semaphore);
}

int main(void) {
  sem_init(&semaphore, 0, 1);
  in_order3(update, update, update);
  return 0;
}
