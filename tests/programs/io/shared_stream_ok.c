// Streams lock themselves: two threads may print to one.
// EXPECT: none
#include <stdio.h>

#include "../support/check.h"
#include "../support/in_order.h"

FILE* file;

static void print(void) {
  for (int i = 0; i < 10; ++i) fprintf(file, "line %d\n", i);
}

int main(void) {
  file = tmpfile();
  CHECK(file != 0);
  in_order(print, print);
  CHECK(ftell(file) == 140);
  fclose(file);
  return 0;
}
