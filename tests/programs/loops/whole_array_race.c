// A loop over an array, which may be checked by stretches, races with an access to one element.
// EXPECT: race
#include "../support/in_order.h"

int numbers[5000];

static void first(void) {
  const int n = opaque(5000);
  for (int i = 0; i < n; ++i) numbers[i] = i;  // RACE A
}
static void second(void) {
  keep(numbers[4321]);  // RACE B
}

int main(void) {
  in_order(first, second);
  return 0;
}
