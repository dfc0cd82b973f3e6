// A byte through a pipe orders its writer before its reader.
// EXPECT: none
#include <unistd.h>

#include "../support/check.h"
#include "../support/in_order.h"

ALONE int x;
int ends[2];

static void first(void) {
  x = 1;
  CHECK(write(ends[1], "x", 1) == 1);
}
static void second(void) {
  char byte;
  CHECK(read(ends[0], &byte, 1) == 1);
  keep(x);
}

int main(void) {
  CHECK(pipe(ends) == 0);
  in_order(first, second);
  return 0;
}
