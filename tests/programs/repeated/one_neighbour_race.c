// Of two neighbouring fields checked as one, only one races.
// EXPECT: race
#include "../support/in_order.h"

struct {
  int left, right;
} __attribute__((aligned(8))) both;

static void first(void) {
  both.left = 1;
  both.right = 2;  // RACE A
}
static void second(void) {
  keep(both.right);  // RACE B
}

int main(void) {
  in_order(first, second);
  return 0;
}
