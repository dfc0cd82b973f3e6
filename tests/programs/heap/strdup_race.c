// Two threads use the string that strdup made.
// EXPECT: race
#include <string.h>

#include "../support/in_order.h"

char* text;

static void first(void) { keep(text[2]); }   // RACE A
static void second(void) { text[2] = 'x'; }  // RACE B

int main(void) {
  text = strdup("hello");
  in_order(first, second);
  free(text);
  return 0;
}
