// strdup reads the string it copies.
// EXPECT: race
// FLAGS: -fno-builtin
#include <string.h>

#include "../support/in_order.h"

char text[16] = "hello";

static void first(void) { text[4] = 'o'; }        // RACE A
static void second(void) { free(strdup(text)); }  // RACE B

int main(void) {
  in_order(first, second);
  return 0;
}
