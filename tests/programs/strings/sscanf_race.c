// sscanf writes the variable it is given.
// EXPECT: race
#include <stdio.h>

#include "../support/in_order.h"

int value;

static void first(void) { keep(sscanf("42", "%d", &value)); }  // RACE A
static void second(void) { keep(value); }                      // RACE B

int main(void) {
  in_order(first, second);
  return 0;
}
