// Read, and written later on the same way: the write's check stands for the read's.
// EXPECT: race
#include "../support/in_order.h"

int value;

static void first(void) {
  int* p = &value;
  const int old = *p;  // RACE A
  if (opaque(1)) keep(old);
  *p = old + 1;  // RACE A
}
static void second(void) {
  keep(value);  // RACE B
}

int main(void) {
  in_order(first, second);
  return 0;
}
