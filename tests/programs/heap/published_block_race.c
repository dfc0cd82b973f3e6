// A block is filled and published by a plain pointer: pointer and contents race.
// EXPECT: race 2
#include "../support/in_order.h"

ALONE long* published;

static void first(void) {
  long* block = (long*)malloc(64);  // RACE C
  block[0] = 42;                    // RACE C
  published = block;                // RACE A
}
static void second(void) {
  long* block = published;  // RACE B
  keep(block[0]);           // RACE D
}

int main(void) {
  in_order(first, second);
  free(published);
  return 0;
}
