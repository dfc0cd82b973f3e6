// A block is freed while another thread wrote to it: a race that is also a use after free.
// EXPECT: race
// MEMORY: heap
#include "../support/in_order.h"

long* block;

static void first(void) { block[2] = 1; }  // RACE A
static void second(void) { free(block); }  // RACE B

int main(void) {
  block = (long*)malloc(64);
  in_order(first, second);
  return 0;
}
