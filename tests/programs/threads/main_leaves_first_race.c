// main ends by pthread_exit; two threads race after it has gone.
// EXPECT: race
#include "../support/in_order.h"

int x, main_tid;

static void* first(void* unused) {
  inv_wait(1);
  x = 1;  // RACE A
  inv_post(2);
  return unused;
}
static void* second(void* unused) {
  inv_wait(2);
  x = 2;  // RACE B
  return unused;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, first, 0);
  pthread_create(&t, 0, second, 0);
  inv_post(1);
  pthread_exit(0);
}
