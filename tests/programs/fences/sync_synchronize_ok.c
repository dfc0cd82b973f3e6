// The full barrier __sync_synchronize around relaxed atomics.
// EXPECT: none
#include "../support/in_order.h"

ALONE int data;
ALONE int ready;

static void first(void) {
  data = 42;
  __sync_synchronize();
  __atomic_store_n(&ready, 1, __ATOMIC_RELAXED);
}
static void second(void) {
  if (__atomic_load_n(&ready, __ATOMIC_RELAXED) == 1) {
    __sync_synchronize();
    keep(data);
  }
}

int main(void) {
  in_order(first, second);
  return 0;
}
