// Overlapping reads to the left and right of each element: the rightmost is read by the last round.
// EXPECT: race
#include "../support/in_order.h"

double from[2050], to[2050];

static void first(void) {
  const int n = opaque(2049);
  for (int i = 1; i < n; ++i) {
    to[i] = from[i - 1] + from[i] + from[i + 1];  // RACE A
  }
}
static void second(void) {
  from[2049] = 1;  // RACE B
}

int main(void) {
  in_order(first, second);
  return 0;
}
