// A move between places that are not aligned alike keeps histories apart to the byte.
// EXPECT: race
#include "../../../include/steward/lard.h"
#include "../support/in_order.h"

ALONE char space[64];

static void first(void) {
  space[5] = 1;  // RACE A
}
static void second(void) {
  steward_lard_copy_history(space + 1, space + 34, 20);  // 5 -> 38
  steward_lard_clear_history(space + 1, 20);
}
static void third(void) {
  space[5] = 2;
  space[37] = 2;
  space[39] = 2;
  space[38] = 2;  // RACE B
}

int main(void) {
  in_order3(first, second, third);
  return 0;
}
