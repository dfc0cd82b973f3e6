// An unaligned long lies over two words; its first byte, in the first word, is read.
// EXPECT: race
#include "../support/in_order.h"

union {
  struct __attribute__((packed)) {
    char pad[5];
    long value;  // bytes 5 to 12
  } s;
  char bytes[16];
} u __attribute__((aligned(16)));

static void first(void) { keep(u.bytes[5]); }  // RACE A
static void second(void) { u.s.value = 1; }    // RACE B

int main(void) {
  in_order(first, second);
  return 0;
}
