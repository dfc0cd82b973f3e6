// Adjacent bit-fields are one memory location: stores to different ones race.
// EXPECT: race
#include "../support/in_order.h"

struct {
  unsigned low : 3;
  unsigned high : 5;
} bits;

static void first(void) { bits.low = (unsigned)opaque(1); }    // RACE A
static void second(void) { bits.high = (unsigned)opaque(2); }  // RACE B

int main(void) {
  in_order(first, second);
  return 0;
}
