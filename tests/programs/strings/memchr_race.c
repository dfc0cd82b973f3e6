// memchr reads up to what it finds.
// EXPECT: race
// FLAGS: -fno-builtin
#include <string.h>

#include "../support/in_order.h"

char text[16] = "abcdefgh";

static void first(void) { text[3] = 'x'; }                                       // RACE A
static void second(void) { keep((long)memchr(text, 'h', (size_t)opaque(16))); }  // RACE B

int main(void) {
  in_order(first, second);
  return 0;
}
