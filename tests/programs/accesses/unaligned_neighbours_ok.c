// The bytes right before and right after an unaligned int over two words are no part of it.
// EXPECT: none
#include "../support/in_order.h"

union {
  struct __attribute__((packed)) {
    char pad[6];
    int value;  // bytes 6 to 9
  } s;
  char bytes[16];
} u __attribute__((aligned(16)));

static void first(void) { u.s.value = 1; }
static void second(void) {
  u.bytes[5] = 2;
  u.bytes[10] = 3;
}

int main(void) {
  in_order(first, second);
  return 0;
}
