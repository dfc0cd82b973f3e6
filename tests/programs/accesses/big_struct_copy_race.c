// A structure of a kilobyte is assigned; another thread then stores to its last byte.
// EXPECT: race
#include "../support/in_order.h"

struct Page {
  char bytes[1024];
} source, target;

static void first(void) { target = source; }          // RACE A
static void second(void) { target.bytes[1023] = 2; }  // RACE B

int main(void) {
  in_order(first, second);
  return 0;
}
