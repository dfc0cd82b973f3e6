// A store of eight bytes races with a store to one of them.
// EXPECT: race
#include "../support/in_order.h"

union {
  long word;
  char bytes[8];
} u;

static void first(void) { u.word = 1; }       // RACE A
static void second(void) { u.bytes[3] = 2; }  // RACE B

int main(void) {
  in_order(first, second);
  return 0;
}
