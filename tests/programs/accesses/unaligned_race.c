// Two threads store to the same unaligned int of a packed structure.
// EXPECT: race
#include "../support/in_order.h"

struct __attribute__((packed)) Packed {
  char tag;
  int value;
} p;

static void first(void) { p.value = 1; }   // RACE A
static void second(void) { p.value = 2; }  // RACE B

int main(void) {
  in_order(first, second);
  return 0;
}
