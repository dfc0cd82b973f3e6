// A bit-field and the ordinary member after it are separate memory locations.
// EXPECT: none
#include "../support/in_order.h"

struct {
  unsigned char bits : 5;
  unsigned char plain;
} s;

static void first(void) { s.bits = (unsigned char)(opaque(1) & 31); }
static void second(void) { s.plain = 2; }

int main(void) {
  in_order(first, second);
  return 0;
}
