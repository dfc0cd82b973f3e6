// Two loads never race.
// EXPECT: none
#include "../support/in_order.h"

int x = 7;

static void first(void) { keep(x); }
static void second(void) { keep(x); }

int main(void) {
  in_order(first, second);
  return 0;
}
