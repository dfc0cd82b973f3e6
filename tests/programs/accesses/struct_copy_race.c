// A structure is copied while a member of the copy's source was stored to.
// EXPECT: race
#include "../support/in_order.h"

struct Point {
  long x, y, z;
} source, target;

static void first(void) { source.z = 3; }      // RACE A
static void second(void) { target = source; }  // RACE B

int main(void) {
  in_order(first, second);
  return 0;
}
