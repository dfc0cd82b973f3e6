// An unordered write is still known after its thread has made fifty thousand other accesses.
// EXPECT: race
#include "../support/in_order.h"

int x;
int others[1000];

static void first(void) {
  x = 1;  // RACE A
  for (int round = 0; round < 50; ++round)
    for (int i = 0; i < 1000; ++i) others[opaque(i)] = round;
}
static void second(void) { keep(x); }  // RACE B

int main(void) {
  in_order(first, second);
  return 0;
}
