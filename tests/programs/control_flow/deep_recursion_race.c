// The race lies at the bottom of twenty thousand nested calls.
// EXPECT: race
#include "../support/in_order.h"

int x;

static NOINLINE long nest(long depth) {
  if (opaque(depth) == 0) {
    x = 1;  // RACE A|B
    return 0;
  }
  return nest(depth - 1) + opaque(1);
}
static void use(void) { keep(nest(20000)); }

int main(void) {
  in_order(use, use);
  return 0;
}
