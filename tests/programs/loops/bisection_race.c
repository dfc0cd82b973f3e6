// A bisection, which goes where the element just read sends it: one that it comes past is changed.
// EXPECT: race
#include "../support/in_order.h"

enum { kNumbers = 1000 };
long numbers[kNumbers];

static void first(void) {
  const long wanted = opaque(251);
  long low = 0, high = kNumbers;
  while (high - low > 1) {
    const long middle = (low + high) / 2;
    if (numbers[middle] <= wanted)  // RACE A
      low = middle;
    else
      high = middle;
  }
  keep((int)low);
}
static void second(void) {
  numbers[250] = 250;  // RACE B
}

int main(void) {
  for (long i = 0; i < kNumbers; ++i) numbers[i] = i;
  in_order(first, second);
  return 0;
}
