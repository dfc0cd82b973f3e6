// Two threads update a double.
// EXPECT: race
#include "../support/in_order.h"

double x;

static void first(void) { x += 1.5; }   // RACE A
static void second(void) { x += 2.5; }  // RACE B

int main(void) {
  in_order(first, second);
  return 0;
}
