// The same with an element just past the loop's last, and one just before its first.
// EXPECT: none
#include "../support/in_order.h"

long numbers[18];

static void first(void) {
  long sum = 0;
  for (int i = 1; i < 17; ++i) sum = sum * 31 + numbers[i];
  keep(sum);
}
static void second(void) {
  numbers[0] = 1;
  numbers[17] = 1;
}

int main(void) {
  in_order(first, second);
  return 0;
}
