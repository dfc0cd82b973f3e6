// The race lies under sixty frames of recursion on each side.
// EXPECT: race
#include "../support/in_order.h"

int x;

static NOINLINE int store_below(int depth, int value) {
  if (opaque(depth) == 0) {
    x = value;  // RACE A|B
    return 0;
  }
  return store_below(depth - 1, value) + (int)opaque(1);
}
static void first(void) { keep(store_below(60, 1)); }
static void second(void) { keep(store_below(60, 2)); }

int main(void) {
  in_order(first, second);
  return 0;
}
