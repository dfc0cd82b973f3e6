// One memcpy reads a large array and a field behind it, which another thread wrote on two lines: two races.
// EXPECT: race 2
#include <string.h>

#include "../support/in_order.h"

struct {
  char array[8000];
  long field;
} from, to;

static void first(void) {
  for (int i = 0; i < 8000; ++i) from.array[i] = (char)opaque(i);  // RACE A
  from.field = opaque(1);                                          // RACE C
}
static void second(void) { memcpy(&to, &from, sizeof to); }  // RACE B|D

int main(void) {
  in_order(first, second);
  keep(to.field);
  return 0;
}
