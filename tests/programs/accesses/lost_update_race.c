// Two threads count up the same plain counter in a loop.
// EXPECT: race
#include "../support/in_order.h"

long counter;

static NOINLINE void count(void) {
  for (int i = 0; i < 100; ++i) {
    counter += opaque(1);  // RACE A|B
  }
}

int main(void) {
  in_order(count, count);
  return 0;
}
