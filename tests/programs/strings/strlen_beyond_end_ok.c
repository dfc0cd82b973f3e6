// What lies after the end of a string is no part of it.
// EXPECT: none
// FLAGS: -fno-builtin
#include <string.h>

#include "../support/in_order.h"

char text[32] = "hello";

static void first(void) { text[6] = 'x'; }
static void second(void) {
  keep((long)strlen(text));
  keep(strcmp(text, "hello"));
  keep((long)strchr(text, 'l'));
}

int main(void) {
  in_order(first, second);
  return 0;
}
