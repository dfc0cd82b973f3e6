// The grown block is shared anew: two threads race in the part that realloc added.
// EXPECT: race
#include "../support/in_order.h"

int* block;

static void first(void) { block[1000] = 1; }   // RACE A
static void second(void) { block[1000] = 2; }  // RACE B

int main(void) {
  block = (int*)malloc(16);
  block[0] = 7;
  block = (int*)realloc(block, 8000);
  in_order(first, second);
  free(block);
  return 0;
}
