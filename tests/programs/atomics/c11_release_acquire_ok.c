// Publication with C11's atomic_store_explicit and atomic_load_explicit.
// EXPECT: none
#include <stdatomic.h>

#include "../support/in_order.h"

ALONE int data;
ALONE atomic_int ready;

static void first(void) {
  data = 42;
  atomic_store_explicit(&ready, 1, memory_order_release);
}
static void second(void) {
  if (atomic_load_explicit(&ready, memory_order_acquire)) keep(data);
}

int main(void) {
  in_order(first, second);
  return 0;
}
