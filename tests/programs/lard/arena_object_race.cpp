// A race on an object of an arena is found, although both threads have passed its lock in between.
// EXPECT: race
#include "arena.h"

#include "../support/in_order.h"

static Arena arena;
int* shared;

static void first() {
  arena.reset();
  *shared = 1;  // RACE A
  arena.allocate(8);
}
static void second() {
  arena.allocate(8);
  *shared = 2;  // RACE B
}

int main() {
  arena.allocate(8);
  arena.reset();
  shared = static_cast<int*>(arena.allocate(8));
  in_order(first, second);
  return 0;
}
