// flockfile is a lock for whatever the program does under it.
// EXPECT: none
#include <stdio.h>

#include "../support/check.h"
#include "../support/in_order.h"

FILE* file;
int lines;

static void print(void) {
  flockfile(file);
  fprintf(file, "line %d\n", ++lines);
  funlockfile(file);
}

int main(void) {
  file = tmpfile();
  CHECK(file != 0);
  in_order(print, print);
  fclose(file);
  return 0;
}
