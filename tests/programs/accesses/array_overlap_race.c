// Two threads fill two halves of an array that overlap in one element.
// EXPECT: race
#include "../support/in_order.h"

int values[1000];

static NOINLINE void fill(int from, int to) {
  for (int i = from; i < to; ++i) {
    values[opaque(i)] = i;  // RACE A|B
  }
}
static void first(void) { fill(0, 501); }
static void second(void) { fill(500, 1000); }

int main(void) {
  in_order(first, second);
  return 0;
}
