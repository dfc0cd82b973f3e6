// strlen reads the string and its end.
// EXPECT: race
// FLAGS: -fno-builtin
#include <string.h>

#include "../support/in_order.h"

char text[16] = "hello";

static void first(void) { text[5] = 0; }                // RACE A
static void second(void) { keep((long)strlen(text)); }  // RACE B

int main(void) {
  in_order(first, second);
  return 0;
}
