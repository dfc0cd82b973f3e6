// The creator reads the result before it joins.
// EXPECT: race
#include "../support/in_order.h"

int x;

static void* thread(void* unused) {
  x = 1;  // RACE A
  inv_post(1);
  return unused;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, thread, 0);
  inv_wait(1);
  keep(x);  // RACE B
  pthread_join(t, 0);
  return 0;
}
