// A loop that walks down does not touch what lies below its end.
// EXPECT: none
#include "../support/in_order.h"

int numbers[2000];

static void first(void) {
  for (int i = opaque(1999); i >= 5; --i) numbers[i] = i;
}
static void second(void) {
  keep(numbers[4]);
  numbers[3] = 1;
}

int main(void) {
  in_order(first, second);
  return 0;
}
