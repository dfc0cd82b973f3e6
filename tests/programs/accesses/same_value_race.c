// Both threads store the value that is there already; it is a race all the same.
// EXPECT: race
#include "../support/in_order.h"

int x = 1;

static void store(void) { x = 1; }  // RACE A|B

int main(void) {
  in_order(store, store);
  return 0;
}
