// Two threads store to a block from posix_memalign.
// EXPECT: race
#include "../support/check.h"
#include "../support/in_order.h"

char* block;

static void first(void) { block[255] = 1; }   // RACE A
static void second(void) { block[255] = 2; }  // RACE B

int main(void) {
  void* p = 0;
  CHECK(posix_memalign(&p, 256, 256) == 0 && (size_t)p % 256 == 0);
  block = (char*)p;
  in_order(first, second);
  free(block);
  return 0;
}
