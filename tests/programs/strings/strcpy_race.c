// strcpy writes the terminating zero too.
// EXPECT: race
// FLAGS: -fno-builtin
#include <string.h>

#include "../support/in_order.h"

char text[16];

static void first(void) { strcpy(text, "hello"); }  // RACE A
static void second(void) { keep(text[5]); }         // RACE B

int main(void) {
  in_order(first, second);
  return 0;
}
