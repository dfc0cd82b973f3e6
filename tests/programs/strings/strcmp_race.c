// strcmp reads both strings.
// EXPECT: race
// FLAGS: -fno-builtin
#include <string.h>

#include "../support/in_order.h"

char a[16] = "hello", b[16] = "hello";

static void first(void) { a[4] = 'o'; }           // RACE A
static void second(void) { keep(strcmp(a, b)); }  // RACE B

int main(void) {
  in_order(first, second);
  return 0;
}
