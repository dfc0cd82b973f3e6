// Blocks of odd sizes side by side belong to one thread each.
// EXPECT: none
#include "../support/in_order.h"

char* blocks[40];

static NOINLINE void fill(int from) {
  for (int i = from; i < 40; i += 2)
    for (int j = 0; j <= i; ++j) blocks[i][j] = (char)j;
}
static void first(void) { fill(0); }
static void second(void) { fill(1); }

int main(void) {
  for (int i = 0; i < 40; ++i) blocks[i] = (char*)malloc((size_t)i + 1);
  in_order(first, second);
  for (int i = 0; i < 40; ++i) free(blocks[i]);
  return 0;
}
