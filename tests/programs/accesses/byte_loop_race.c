// Two threads fill the same buffer byte by byte.
// EXPECT: race
#include "../support/in_order.h"

char buffer[64];

static NOINLINE void fill(void) {
  for (int i = 0; i < 64; ++i) {
    buffer[opaque(i)] = (char)i;  // RACE A|B
  }
}

int main(void) {
  in_order(fill, fill);
  return 0;
}
