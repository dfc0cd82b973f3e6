// A 128-bit atomic exchange races with a plain load of its upper half.
// EXPECT: race
// FLAGS: -mcx16 -latomic
#include "../support/in_order.h"

union {
  __int128 whole;
  long halves[2];
} u;

static void first(void) { __atomic_exchange_n(&u.whole, 1, __ATOMIC_SEQ_CST); }  // RACE A
static void second(void) { keep(u.halves[1]); }                                  // RACE B

int main(void) {
  in_order(first, second);
  return 0;
}
