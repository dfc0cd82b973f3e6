// Twenty thousand nested calls, each with an access.
// EXPECT: none
#include "../support/in_order.h"

static __thread long sum;

static NOINLINE long nest(long depth) {
  sum += depth;
  if (opaque(depth) == 0) return 0;
  return nest(depth - 1) + opaque(1);
}
static void use(void) { keep(nest(20000)); }

int main(void) {
  in_order(use, use);
  return 0;
}
