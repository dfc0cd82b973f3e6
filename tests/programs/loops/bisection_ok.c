// Bisections of the same numbers, which come to either end; what they do not read is changed.
// EXPECT: none
#include "../support/in_order.h"

enum { kNumbers = 1023 };
long numbers[kNumbers + 2];  // one more at either end

static long find(long wanted) {
  long low = 0, high = kNumbers + 1;
  while (high - low > 1) {
    const long middle = (low + high) / 2;
    if (numbers[middle] <= wanted)
      low = middle;
    else
      high = middle;
  }
  return low;
}
static void first(void) {
  keep((int)find(opaque(-1)));
  keep((int)find(opaque(5000)));
  keep((int)find(opaque(300)));
}
static void second(void) {
  keep((int)find(opaque(300)));
  numbers[0] = 1;
  numbers[kNumbers + 1] = 1;
}

int main(void) {
  for (long i = 1; i <= kNumbers; ++i) numbers[i] = i;
  in_order(first, second);
  return 0;
}
