// Two threads store to blocks from memalign, valloc and pvalloc.
// EXPECT: race 3
#include <malloc.h>

#include "../support/in_order.h"

char *a, *b, *c;

static void first(void) {
  a[5] = 1;  // RACE A
  b[6] = 1;  // RACE C
  c[7] = 1;  // RACE E
}
static void second(void) {
  a[5] = 2;  // RACE B
  b[6] = 2;  // RACE D
  c[7] = 2;  // RACE F
}

int main(void) {
  a = (char*)memalign(64, 100);
  b = (char*)valloc(100);
  c = (char*)pvalloc(100);
  in_order(first, second);
  free(a);
  free(b);
  free(c);
  return 0;
}
