// Two threads store to a block from malloc.
// EXPECT: race
#include "../support/in_order.h"

int* block;

static void first(void) { block[3] = 1; }   // RACE A
static void second(void) { block[3] = 2; }  // RACE B

int main(void) {
  block = (int*)malloc(64);
  in_order(first, second);
  free(block);
  return 0;
}
