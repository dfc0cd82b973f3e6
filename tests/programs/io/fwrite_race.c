// fwrite reads a buffer that another thread stored to.
// EXPECT: race
#include <stdio.h>

#include "../support/check.h"
#include "../support/in_order.h"

char buffer[16];
FILE* file;

static void first(void) { buffer[15] = 1; }  // RACE A
static void second(void) {
  CHECK(fwrite(buffer, 1, 16, file) == 16);  // RACE B
}

int main(void) {
  file = tmpfile();
  CHECK(file != 0);
  in_order(first, second);
  fclose(file);
  return 0;
}
