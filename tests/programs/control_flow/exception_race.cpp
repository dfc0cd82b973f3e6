// After an exception through nested frames the stack of calls is the right one again.
// EXPECT: race
#include "../support/elsewhere.h"
#include "../support/in_order.h"

int x;

static NOINLINE void throw_from(int depth) {
  if (opaque(depth) == 0) throw depth;
  throw_from(depth - 1);
  keep(depth);
}
static void use(int value) {
  try {
    throw_from(6);
  } catch (int) {
    keep(1);
  }
  store_elsewhere(&x, value);  // RACE A|B
}
static void first() { use(1); }
static void second() { use(2); }

int main() { in_order(first, second); }
