// Two threads store to a block from aligned_alloc.
// EXPECT: race
#include "../support/check.h"
#include "../support/in_order.h"

char* block;

static void first(void) { block[0] = 1; }   // RACE A
static void second(void) { block[0] = 2; }  // RACE B

int main(void) {
  block = (char*)aligned_alloc(4096, 8192);
  CHECK((size_t)block % 4096 == 0);
  in_order(first, second);
  free(block);
  return 0;
}
