// snprintf reads the string it is given for %s.
// EXPECT: race
// FLAGS: -fno-builtin
#include <stdio.h>

#include "../support/in_order.h"

char name[16] = "world";

static void first(void) { name[0] = 'W'; }  // RACE A
static void second(void) {
  char text[32];
  snprintf(text, sizeof text, "hello %s", name);  // RACE B
  keep_address(text);
}

int main(void) {
  in_order(first, second);
  return 0;
}
