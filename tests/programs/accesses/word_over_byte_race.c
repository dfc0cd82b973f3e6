// A load of eight bytes races with the earlier store to the last of them.
// EXPECT: race
#include "../support/in_order.h"

union {
  long word;
  char bytes[8];
} u;

static void first(void) { u.bytes[7] = 2; }  // RACE A
static void second(void) { keep(u.word); }   // RACE B

int main(void) {
  in_order(first, second);
  return 0;
}
