// Checked on one of two ways to a read only: the read has to be checked.
// EXPECT: race
#include "../support/in_order.h"

int value;
int* nobodys = &value;

static void first(void) {
  int* p = nobodys;
  if (opaque(0)) *p = 1;
  keep(*p);  // RACE A
}
static void second(void) {
  value = 4;  // RACE B
}

int main(void) {
  in_order(first, second);
  return 0;
}
