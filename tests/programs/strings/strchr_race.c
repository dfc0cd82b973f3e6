// strchr reads up to what it finds.
// EXPECT: race
// FLAGS: -fno-builtin
#include <string.h>

#include "../support/in_order.h"

char text[16] = "hello";

static void first(void) { text[0] = 'h'; }                   // RACE A
static void second(void) { keep((long)strchr(text, 'o')); }  // RACE B

int main(void) {
  in_order(first, second);
  return 0;
}
