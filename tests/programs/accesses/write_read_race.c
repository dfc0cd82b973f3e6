// A store, then a load in another thread; nothing orders them.
// EXPECT: race
#include "../support/in_order.h"

int x;

static void first(void) { x = 1; }     // RACE A
static void second(void) { keep(x); }  // RACE B

int main(void) {
  in_order(first, second);
  return 0;
}
