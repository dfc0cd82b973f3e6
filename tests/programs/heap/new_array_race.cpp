// Two threads store to one element of an array from new[].
// EXPECT: race
#include "../support/in_order.h"

int* values;

static void first() { values[9] = 1; }   // RACE A
static void second() { values[9] = 2; }  // RACE B

int main() {
  values = new int[10]();
  in_order(first, second);
  delete[] values;
}
