// memcmp reads what another thread wrote.
// EXPECT: race
// FLAGS: -fno-builtin
#include <string.h>

#include "../support/in_order.h"

char a[16], b[16];

static void first(void) { b[9] = 1; }                                 // RACE A
static void second(void) { keep(memcmp(a, b, (size_t)opaque(16))); }  // RACE B

int main(void) {
  in_order(first, second);
  return 0;
}
