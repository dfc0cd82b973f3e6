// Of two concurrent readers one is joined before the write: the other alone races with it.
// EXPECT: race
#include "../support/in_order.h"

int x;

static void* read_joined(void* unused) {
  keep(x);
  inv_post(1);
  return unused;
}
static void* read_unjoined(void* unused) {
  inv_wait(1);
  keep(x);  // RACE A
  inv_post(2);
  return unused;
}

int main(void) {
  pthread_t joined, unjoined;
  pthread_create(&joined, 0, read_joined, 0);
  pthread_create(&unjoined, 0, read_unjoined, 0);
  pthread_join(joined, 0);
  inv_wait(2);
  x = 1;  // RACE B
  pthread_join(unjoined, 0);
  return 0;
}
