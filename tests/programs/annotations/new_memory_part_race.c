// Only the bytes named start a new life; the ones after them still race.
// EXPECT: race
#include "../support/annotations.h"
#include "../support/in_order.h"

ALONE long arena[32];

static void first(void) {
  for (int i = 0; i < 32; ++i) {
    arena[opaque(i)] = 1;  // RACE A
  }
}
static void second(void) {
  CALL_HERE(AnnotateNewMemory, arena, 16 * sizeof arena[0]);
  arena[15] = 2;
  arena[16] = 3;  // RACE B
}

int main(void) {
  in_order(first, second);
  return 0;
}
