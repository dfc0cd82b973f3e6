// Two copies into two halves of one buffer that meet at an odd byte.
// EXPECT: none
#include <string.h>

#include "../support/in_order.h"

char from[64], to[64];

static void first(void) { memcpy(to, from, (size_t)opaque(29)); }
static void second(void) { memcpy(to + 29, from + 29, (size_t)opaque(35)); }

int main(void) {
  in_order(first, second);
  return 0;
}
