// The fence pair in C11.
// EXPECT: none
#include <stdatomic.h>

#include "../support/in_order.h"

ALONE int data;
ALONE atomic_int ready;

static void first(void) {
  data = 42;
  atomic_thread_fence(memory_order_release);
  atomic_store_explicit(&ready, 1, memory_order_relaxed);
}
static void second(void) {
  if (atomic_load_explicit(&ready, memory_order_relaxed) == 1) {
    atomic_thread_fence(memory_order_acquire);
    keep(data);
  }
}

int main(void) {
  in_order(first, second);
  return 0;
}
