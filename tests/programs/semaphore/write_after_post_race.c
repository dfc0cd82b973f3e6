// The write comes after the post.
// EXPECT: race
#include <semaphore.h>

#include "../support/in_order.h"

ALONE int x;
ALONE sem_t semaphore;

static void first(void) {
  sem_post(&semaphore);
  x = 1;  // RACE A
}
static void second(void) {
  sem_wait(&semaphore);
  keep(x);  // RACE B
}

int main(void) {
  sem_init(&semaphore, 0, 0);
  in_order(first, second);
  return 0;
}
