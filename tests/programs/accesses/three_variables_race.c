// Three variables race, each with its own pair of lines.
// EXPECT: race 3
#include "../support/in_order.h"

ALONE int x;
ALONE long y;
ALONE char z;

static void first(void) {
  x = 1;  // RACE A
  y = 1;  // RACE C
  z = 1;  // RACE E
}
static void second(void) {
  keep(z);  // RACE F
  y = 2;    // RACE D
  x = 2;    // RACE B
}

int main(void) {
  in_order(first, second);
  return 0;
}
