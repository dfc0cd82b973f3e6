// Two C11 threads store to one variable.
// EXPECT: race
#include <threads.h>

#include "../support/invisible.h"

int x;

static int first(void* unused) {
  (void)unused;
  x = 1;  // RACE A
  inv_post(1);
  return 0;
}
static int second(void* unused) {
  (void)unused;
  inv_wait(1);
  x = 2;  // RACE B
  return 0;
}

int main(void) {
  thrd_t a, b;
  thrd_create(&a, first, 0);
  thrd_create(&b, second, 0);
  thrd_join(a, 0);
  thrd_join(b, 0);
  return 0;
}
