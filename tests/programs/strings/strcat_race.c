// strcat reads the first string to find its end.
// EXPECT: race
// FLAGS: -fno-builtin
#include <string.h>

#include "../support/in_order.h"

char text[16] = "hello";

static void first(void) { text[1] = 'a'; }          // RACE A
static void second(void) { strcat(text, " you"); }  // RACE B

int main(void) {
  in_order(first, second);
  return 0;
}
