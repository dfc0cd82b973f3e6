// The same when the compiler knows memcpy and may call a function of its own.
// EXPECT: race
#include <string.h>

#include "../support/in_order.h"

char from[64], to[64];

static void first(void) { memcpy(to, from, (size_t)opaque(64)); }  // RACE A
static void second(void) { to[0] = 1; }                            // RACE B

int main(void) {
  in_order(first, second);
  return 0;
}
