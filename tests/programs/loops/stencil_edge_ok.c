// The elements just outside what a stencil reads and writes.
// EXPECT: none
#include "../support/in_order.h"

double from[2052], to[2052];

static void first(void) {
  const int n = opaque(2049);
  for (int i = 2; i < n; ++i) to[i] = from[i - 1] + from[i] + from[i + 1];
}
static void second(void) {
  from[0] = 1;
  from[2050] = 1;
  keep(to[1]);
  keep(to[2049]);
}

int main(void) {
  in_order(first, second);
  return 0;
}
