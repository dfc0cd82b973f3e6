// An atomic load and a plain load do not race.
// EXPECT: none
#include "../support/in_order.h"

int x = 1;

static void first(void) { keep(__atomic_load_n(&x, __ATOMIC_RELAXED)); }
static void second(void) { keep(x); }

int main(void) {
  in_order(first, second);
  return 0;
}
