// memset over a buffer races with a read in the middle of it.
// EXPECT: race
#include <string.h>

#include "../support/in_order.h"

char buffer[1000];

static void first(void) { memset(buffer, 1, (size_t)opaque(1000)); }  // RACE A
static void second(void) { keep(buffer[501]); }                       // RACE B

int main(void) {
  in_order(first, second);
  return 0;
}
