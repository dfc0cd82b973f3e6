// A loop that is left when it finds what it looks for has not read what comes after.
// EXPECT: none
#include "../support/in_order.h"

int numbers[3000];

static void first(void) {
  const int n = opaque(3000);
  for (int i = 0; i < n; ++i) {
    if (numbers[i] == 0 && i == opaque(100)) break;
  }
}
static void second(void) {
  numbers[101] = 1;
}

int main(void) {
  in_order(first, second);
  return 0;
}
