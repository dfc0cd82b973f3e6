// A load, then a store in another thread; nothing orders them.
// EXPECT: race
#include "../support/in_order.h"

int x;

static void first(void) { keep(x); }  // RACE A
static void second(void) { x = 1; }   // RACE B

int main(void) {
  in_order(first, second);
  return 0;
}
