// A plain bool announces data: both the flag and the data race.
// EXPECT: race 2
#include <stdbool.h>

#include "../support/in_order.h"

ALONE int data;
ALONE bool ready;

static void first(void) {
  data = 42;     // RACE C
  ready = true;  // RACE A
}
static void second(void) {
  if (ready)     // RACE B
    keep(data);  // RACE D
}

int main(void) {
  in_order(first, second);
  return 0;
}
