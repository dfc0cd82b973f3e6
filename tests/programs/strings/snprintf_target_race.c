// snprintf writes its buffer.
// EXPECT: race
// FLAGS: -fno-builtin
#include <stdio.h>

#include "../support/in_order.h"

char text[32];

static void first(void) { snprintf(text, sizeof text, "%d", (int)opaque(12345)); }  // RACE A
static void second(void) { keep(text[2]); }                                         // RACE B

int main(void) {
  in_order(first, second);
  return 0;
}
