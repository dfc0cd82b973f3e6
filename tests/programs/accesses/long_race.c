// Two threads store to the same 64-bit integer.
// EXPECT: race
#include "../support/in_order.h"

long x;

static void first(void) { x = 1; }   // RACE A
static void second(void) { x = 2; }  // RACE B

int main(void) {
  in_order(first, second);
  return 0;
}
