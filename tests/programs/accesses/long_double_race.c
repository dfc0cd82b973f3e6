// Two threads store to a long double, which fills sixteen bytes.
// EXPECT: race
// ONLY: gcc (clang does not instrument accesses of ten bytes)
#include "../support/in_order.h"

long double x;

static void first(void) { x = 1; }   // RACE A
static void second(void) { x = 2; }  // RACE B

int main(void) {
  in_order(first, second);
  return 0;
}
