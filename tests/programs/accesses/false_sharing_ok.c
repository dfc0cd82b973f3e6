// Counters that share a cache line, one for each thread: slow, and no race.
// EXPECT: none
#include "../support/in_order.h"

struct {
  long a, b;
} __attribute__((aligned(64))) counters;

static void first(void) {
  for (int i = 0; i < 100; ++i) counters.a += opaque(1);
}
static void second(void) {
  for (int i = 0; i < 100; ++i) counters.b += opaque(1);
}

int main(void) {
  in_order(first, second);
  return 0;
}
