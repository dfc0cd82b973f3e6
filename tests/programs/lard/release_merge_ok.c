// Releases that merge are all learnt of by who acquires.
// EXPECT: none
#include "../../../include/steward/lard.h"
#include "../support/in_order.h"

ALONE int object, x, y;

static void first(void) {
  x = 1;
  steward_lard_release_merge(&object);
}
static void second(void) {
  y = 1;
  steward_lard_release_merge(&object);
}
static void third(void) {
  steward_lard_acquire(&object);
  y = 2;
  x = 2;
}

int main(void) {
  in_order3(first, second, third);
  return 0;
}
