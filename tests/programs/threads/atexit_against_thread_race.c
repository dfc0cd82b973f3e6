// An exit handler reads what a thread wrote that nobody joined.
// EXPECT: race
#include "../support/in_order.h"

int x;

static void at_exit(void) { keep(x); }  // RACE B
static void* thread(void* unused) {
  x = 1;  // RACE A
  inv_post(1);
  inv_wait(1000);
  return unused;
}

int main(void) {
  pthread_t t;
  atexit(at_exit);
  pthread_create(&t, 0, thread, 0);
  inv_wait(1);
  return 0;
}
