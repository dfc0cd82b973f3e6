// A loop of a few rounds, which the compiler writes out: each round's element is looked at.
// EXPECT: race
#include "../support/in_order.h"

long numbers[16];

static void first(void) {
  long sum = 0;
  for (int i = 0; i < 16; ++i) sum = sum * 31 + numbers[i];  // RACE A
  keep(sum);
}
static void second(void) {
  numbers[13] = 1;  // RACE B
}

int main(void) {
  in_order(first, second);
  return 0;
}
