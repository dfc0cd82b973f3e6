// Relaxed increments of a C11 atomic counter; the total is read after the joins.
// EXPECT: none
// STDOUT: 200
#include <stdatomic.h>
#include <stdio.h>

#include "../support/in_order.h"

atomic_int counter;

static void count(void) {
  for (int i = 0; i < 100; ++i) atomic_fetch_add_explicit(&counter, 1, memory_order_relaxed);
}

int main(void) {
  in_order(count, count);
  printf("%d\n", atomic_load(&counter));
  return 0;
}
