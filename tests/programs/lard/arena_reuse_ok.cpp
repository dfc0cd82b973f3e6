// Two threads use an arena's memory one after the other; what the first left there is no past of the
// second's objects.
// EXPECT: none
#include "arena.h"

#include "../support/in_order.h"

static Arena arena;

static void first() {
  for (int i = 0; i < 100; ++i) *static_cast<int*>(arena.allocate(24)) = i;
  arena.reset();
}
static void second() {
  for (int i = 0; i < 100; ++i) *static_cast<int*>(arena.allocate(16)) = i;
}

int main() {
  in_order(first, second);
  return 0;
}
