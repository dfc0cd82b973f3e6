// Two neighbouring fields, whose check may be one: each race has its own lines.
// EXPECT: race 2
#include "../support/in_order.h"

struct {
  long left, right;
} __attribute__((aligned(16))) both;

static void first(void) {
  both.left = opaque(1);   // RACE A
  both.right = opaque(2);  // RACE C
}
static void second(void) {
  keep(both.left);   // RACE B
  keep(both.right);  // RACE D
}

int main(void) {
  in_order(first, second);
  return 0;
}
