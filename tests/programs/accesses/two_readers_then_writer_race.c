// Two threads read, a third writes: the write races with each of the reads.
// EXPECT: race
#include "../support/in_order.h"

int x;

static void first(void) { keep(x); }   // RACE A
static void second(void) { keep(x); }  // RACE A
static void third(void) { x = 1; }     // RACE B

int main(void) {
  in_order3(first, second, third);
  return 0;
}
