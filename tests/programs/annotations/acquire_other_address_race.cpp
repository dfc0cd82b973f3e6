// Release and acquire on different addresses order nothing.
// EXPECT: race
#include "../support/annotations.h"
#include "../support/in_order.h"

ALONE int x;
ALONE char tokens[2];

static void first() {
  x = 1;  // RACE A
  CALL(__tsan_release, &tokens[0]);
}
static void second() {
  CALL(__tsan_acquire, &tokens[1]);
  keep(x);  // RACE B
}

int main() { in_order(first, second); }
