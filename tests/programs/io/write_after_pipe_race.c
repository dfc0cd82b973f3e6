// What is written to memory after the byte went into the pipe is not ordered.
// EXPECT: race
#include <unistd.h>

#include "../support/check.h"
#include "../support/in_order.h"

ALONE int x;
int ends[2];

static void first(void) {
  CHECK(write(ends[1], "x", 1) == 1);
  x = 1;  // RACE A
}
static void second(void) {
  char byte;
  CHECK(read(ends[0], &byte, 1) == 1);
  keep(x);  // RACE B
}

int main(void) {
  CHECK(pipe(ends) == 0);
  in_order(first, second);
  return 0;
}
