// Two ints that share a word are separate memory locations.
// EXPECT: none
#include "../support/in_order.h"

struct {
  int low, high;
} __attribute__((aligned(8))) pair;

static void first(void) { pair.low = 1; }
static void second(void) { pair.high = 2; }

int main(void) {
  in_order(first, second);
  return 0;
}
