// Written on both ways to a read, which needs no check of its own: the race is with a write.
// EXPECT: race
#include "../support/in_order.h"

int value;

static void first(void) {
  if (opaque(1)) {
    value = opaque(2);  // RACE A
    __asm__ volatile("# one way");
  } else {
    value = opaque(3);
    __asm__ volatile("# the other");
  }
  keep(value);
}
static void second(void) {
  value = 4;  // RACE B
}

int main(void) {
  in_order(first, second);
  return 0;
}
