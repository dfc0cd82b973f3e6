// A loop that walks down reaches the element at its lower end.
// EXPECT: race
#include "../support/in_order.h"

int numbers[2000];

static void first(void) {
  for (int i = opaque(1999); i >= 5; --i) numbers[i] = i;  // RACE A
}
static void second(void) {
  keep(numbers[5]);  // RACE B
}

int main(void) {
  in_order(first, second);
  return 0;
}
