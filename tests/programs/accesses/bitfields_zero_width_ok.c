// A bit-field of width zero starts a new memory location.
// EXPECT: none
#include "../support/in_order.h"

struct {
  unsigned char low : 3;
  unsigned char : 0;
  unsigned char high : 5;
} bits;

static void first(void) { bits.low = (unsigned char)(opaque(1) & 7); }
static void second(void) { bits.high = (unsigned char)(opaque(2) & 31); }

int main(void) {
  in_order(first, second);
  return 0;
}
