// Eight bytes of one word, four of each thread: separate memory locations.
// EXPECT: none
#include "../support/in_order.h"

char bytes[8] __attribute__((aligned(8)));

static void first(void) {
  for (int i = 0; i < 8; i += 2) bytes[opaque(i)] = 1;
}
static void second(void) {
  for (int i = 1; i < 8; i += 2) bytes[opaque(i)] = 2;
}

int main(void) {
  in_order(first, second);
  return 0;
}
