// fread fills a buffer that another thread looks at.
// EXPECT: race
#include <stdio.h>

#include "../support/check.h"
#include "../support/in_order.h"

char buffer[16];
FILE* file;

static void first(void) {
  CHECK(fread(buffer, 1, 10, file) == 10);  // RACE A
}
static void second(void) { keep(buffer[9]); }  // RACE B

int main(void) {
  file = tmpfile();
  CHECK(file != 0 && fputs("0123456789", file) >= 0);
  rewind(file);
  in_order(first, second);
  fclose(file);
  return 0;
}
