// Publication through a 128-bit atomic.
// EXPECT: none
// FLAGS: -mcx16 -latomic
#include "../support/in_order.h"

ALONE int data;
ALONE __int128 ready;

static void first(void) {
  data = 42;
  __atomic_store_n(&ready, (__int128)1 << 100, __ATOMIC_RELEASE);
}
static void second(void) {
  if (__atomic_load_n(&ready, __ATOMIC_ACQUIRE) >> 100 == 1) keep(data);
}

int main(void) {
  in_order(first, second);
  return 0;
}
