// The last element that a loop reads is part of what it reads.
// EXPECT: race
#include "../support/in_order.h"

long numbers[3001];

static void first(void) {
  const int n = opaque(3001);
  long sum = 0;
  for (int i = 0; i < n; ++i) sum += numbers[i];  // RACE A
  keep(sum);
}
static void second(void) {
  numbers[3000] = 1;  // RACE B
}

int main(void) {
  in_order(first, second);
  return 0;
}
