// Two members of a union are the same bytes.
// EXPECT: race
#include "../support/in_order.h"

union {
  int number;
  float real;
} u;

static void first(void) { u.number = 1; }  // RACE A
static void second(void) { u.real = 2; }   // RACE B

int main(void) {
  in_order(first, second);
  return 0;
}
