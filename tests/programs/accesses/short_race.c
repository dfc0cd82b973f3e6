// Two threads store to the same 16-bit integer.
// EXPECT: race
#include "../support/in_order.h"

short halves[8];

static void first(void) { halves[3] = 1; }   // RACE A
static void second(void) { halves[3] = 2; }  // RACE B

int main(void) {
  in_order(first, second);
  return 0;
}
