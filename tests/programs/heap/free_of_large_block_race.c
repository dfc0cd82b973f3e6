// A block of a megabyte is freed while another thread wrote to its middle.
// EXPECT: race
// MEMORY: heap
#include "../support/in_order.h"

char* block;

static void first(void) { block[700000] = 1; }  // RACE A
static void second(void) { free(block); }       // RACE B

int main(void) {
  block = (char*)malloc(1 << 20);
  in_order(first, second);
  return 0;
}
