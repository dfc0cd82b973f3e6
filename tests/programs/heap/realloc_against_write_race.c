// A block is moved by realloc, which reads and frees it, while another thread wrote to it.
// EXPECT: race
#include "../support/in_order.h"

long* block;
long* moved;

static void first(void) { block[0] = 1; }                            // RACE A
static void second(void) { moved = (long*)realloc(block, 100000); }  // RACE B

int main(void) {
  block = (long*)malloc(64);
  in_order(first, second);
  free(moved);
  return 0;
}
