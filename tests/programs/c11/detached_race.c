// A detached C11 thread is not ordered with anybody.
// EXPECT: race
#include <threads.h>

#include "../support/invisible.h"

int x;

static int thread(void* unused) {
  (void)unused;
  x = 1;  // RACE A
  inv_post(1);
  inv_wait(2);
  return 0;
}

int main(void) {
  thrd_t t;
  thrd_create(&t, thread, 0);
  thrd_detach(t);
  inv_wait(1);
  x = 2;  // RACE B
  inv_post(2);
  return 0;
}
