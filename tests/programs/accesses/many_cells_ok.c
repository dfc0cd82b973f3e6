// A megabyte, a quarter of it for each of four threads, written and read back.
// EXPECT: none
#include "../support/in_order.h"

char memory[1 << 20];

static NOINLINE void sweep(long from) {
  for (long i = from; i < from + (1 << 18); i += 3) memory[i] = (char)i;
  for (long i = from; i < from + (1 << 18); i += 64) keep(memory[i]);
}
static void first(void) { sweep(0); }
static void second(void) { sweep(1 << 18); }
static void third(void) { sweep(2 << 18); }
static void fourth(void) { sweep(3 << 18); }

int main(void) {
  in_order4(first, second, third, fourth);
  return 0;
}
