// Two ints of one word race separately: the first report does not hide the second.
// EXPECT: race 2
#include "../support/in_order.h"

struct {
  int low, high;
} __attribute__((aligned(8))) pair;

static void first(void) {
  pair.low = 1;   // RACE A
  pair.high = 1;  // RACE C
}
static void second(void) {
  keep(pair.low);   // RACE B
  keep(pair.high);  // RACE D
}

int main(void) {
  in_order(first, second);
  return 0;
}
