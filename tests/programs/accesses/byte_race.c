// Two threads store to the same byte in the middle of a word.
// EXPECT: race
#include "../support/in_order.h"

char bytes[16];

static void first(void) { bytes[5] = 1; }   // RACE A
static void second(void) { bytes[5] = 2; }  // RACE B

int main(void) {
  in_order(first, second);
  return 0;
}
