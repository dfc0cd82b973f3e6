// Two threads fill the even and the odd elements of one array.
// EXPECT: none
#include "../support/in_order.h"

int values[2000];

static NOINLINE void fill(int from) {
  for (int i = from; i < 2000; i += 2) values[i] = i;
}
static void first(void) { fill(0); }
static void second(void) { fill(1); }

int main(void) {
  in_order(first, second);
  return 0;
}
