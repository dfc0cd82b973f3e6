// An element that a loop passes over is not accessed.
// EXPECT: none
#include "../support/in_order.h"

int numbers[3000];

static void first(void) {
  const int n = opaque(3000), skip = opaque(1234);
  for (int i = 0; i < n; ++i) {
    if (i != skip) numbers[i] = i;
  }
}
static void second(void) {
  numbers[1234] = 1;
}

int main(void) {
  in_order(first, second);
  return 0;
}
