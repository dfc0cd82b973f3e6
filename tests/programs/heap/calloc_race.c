// Two threads use a block from calloc.
// EXPECT: race
#include "../support/in_order.h"

long* block;

static void first(void) { keep(block[1]); }  // RACE A
static void second(void) { block[1] = 2; }   // RACE B

int main(void) {
  block = (long*)calloc(4, sizeof *block);
  in_order(first, second);
  free(block);
  return 0;
}
