// Looking at a semaphore's value orders nothing.
// EXPECT: race
#include <semaphore.h>

#include "../support/check.h"
#include "../support/in_order.h"

ALONE int x;
ALONE sem_t semaphore;

static void first(void) {
  x = 1;  // RACE A
  sem_post(&semaphore);
}
static void second(void) {
  int value = 0;
  CHECK(sem_getvalue(&semaphore, &value) == 0 && value == 1);
  keep(x);  // RACE B
}

int main(void) {
  sem_init(&semaphore, 0, 0);
  in_order(first, second);
  return 0;
}
