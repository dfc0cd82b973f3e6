// strncpy fills the rest of its buffer with zeros.
// EXPECT: race
// FLAGS: -fno-builtin
#include <string.h>

#include "../support/in_order.h"

char text[16];

static void first(void) { strncpy(text, "hello", 12); }  // RACE A
static void second(void) { keep(text[11]); }             // RACE B

int main(void) {
  in_order(first, second);
  return 0;
}
