// The race is reported although the other thread never ends.
// EXPECT: race
#include "../support/in_order.h"

int x;

static void* thread(void* unused) {
  x = 1;  // RACE A
  inv_post(1);
  inv_wait(1000);
  return unused;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, thread, 0);
  inv_wait(1);
  x = 2;  // RACE B
  return 0;
}
