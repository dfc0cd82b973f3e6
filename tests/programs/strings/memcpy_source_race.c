// memcpy reads what another thread wrote.
// EXPECT: race
// FLAGS: -fno-builtin
#include <string.h>

#include "../support/in_order.h"

char from[64], to[64];

static void first(void) { from[31] = 1; }                           // RACE A
static void second(void) { memcpy(to, from, (size_t)opaque(64)); }  // RACE B

int main(void) {
  in_order(first, second);
  return 0;
}
