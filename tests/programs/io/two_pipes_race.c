// A byte read from another pipe than the one written to orders nothing.
// EXPECT: race
#include <unistd.h>

#include "../support/check.h"
#include "../support/in_order.h"

ALONE int x;
int a[2], b[2];

static void first(void) {
  x = 1;  // RACE A
  CHECK(write(a[1], "x", 1) == 1);
}
static void second(void) {
  char byte;
  CHECK(read(b[0], &byte, 1) == 1);
  keep(x);  // RACE B
}

int main(void) {
  CHECK(pipe(a) == 0 && pipe(b) == 0);
  CHECK(write(b[1], "y", 1) == 1);
  in_order(first, second);
  return 0;
}
