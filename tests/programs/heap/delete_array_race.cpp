// An array is deleted while another thread read from it.
// EXPECT: race
#include "../support/in_order.h"

int* values;

static void first() { keep(values[9]); }   // RACE A
static void second() { delete[] values; }  // RACE B

int main() {
  values = new int[10]();
  in_order(first, second);
}
