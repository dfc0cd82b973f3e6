// Another thread than the main one ends the process.
// EXPECT: race
// EXIT: 3
#include "../support/in_order.h"

int x;

static void* thread(void* unused) {
  inv_wait(1);
  keep(x);  // RACE B
  exit(3);
  return unused;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, thread, 0);
  x = 1;  // RACE A
  inv_post(1);
  pthread_join(t, 0);
  return 0;
}
