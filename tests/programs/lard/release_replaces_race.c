// A release takes the place of the one before: who acquires learns of the last only.
// EXPECT: race
#include "../../../include/steward/lard.h"
#include "../support/in_order.h"

ALONE int object, x, y;

static void first(void) {
  x = 1;  // RACE A
  steward_lard_release(&object);
}
static void second(void) {
  y = 1;
  steward_lard_release(&object);
}
static void third(void) {
  steward_lard_acquire(&object);
  y = 2;
  x = 2;  // RACE B
}

int main(void) {
  in_order3(first, second, third);
  return 0;
}
