// Two threads each see the lazy value unset or set, without any lock.
// EXPECT: race 2
#include "../support/in_order.h"

ALONE bool made;
ALONE int value;

static void use() {
  if (!made) {    // RACE B
    value = 42;   // RACE C
    made = true;  // RACE A
  }
  keep(value);  // RACE D
}

int main() { in_order(use, use); }
