// A volatile flag is no better than a plain one.
// EXPECT: race 2
#include "../support/in_order.h"

ALONE int data;
ALONE volatile int ready;

static void first(void) {
  data = 42;  // RACE C
  ready = 1;  // RACE A
}
static void second(void) {
  if (ready)     // RACE B
    keep(data);  // RACE D
}

int main(void) {
  in_order(first, second);
  return 0;
}
