// A copy of no bytes touches nothing.
// EXPECT: none
// FLAGS: -fno-builtin
#include <string.h>

#include "../support/in_order.h"

char from[8], to[8];

static void first(void) { to[0] = 1; }
static void second(void) {
  memcpy(to, from, (size_t)opaque(0));
  memset(to, 1, (size_t)opaque(0));
  memmove(to, from, (size_t)opaque(0));
}

int main(void) {
  in_order(first, second);
  return 0;
}
