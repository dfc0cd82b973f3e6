// An unaligned int lies over two words; its last byte, in the second word, is stored to.
// EXPECT: race
#include "../support/in_order.h"

union {
  struct __attribute__((packed)) {
    char pad[6];
    int value;  // bytes 6 to 9
  } s;
  char bytes[16];
} u __attribute__((aligned(16)));

static void first(void) { u.s.value = 1; }    // RACE A
static void second(void) { u.bytes[9] = 2; }  // RACE B

int main(void) {
  in_order(first, second);
  return 0;
}
