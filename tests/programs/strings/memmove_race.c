// memmove within a buffer reads its end, which another thread wrote.
// EXPECT: race
#include <string.h>

#include "../support/in_order.h"

char buffer[64];

static void first(void) { buffer[40] = 1; }                                     // RACE A
static void second(void) { memmove(buffer, buffer + 10, (size_t)opaque(31)); }  // RACE B

int main(void) {
  in_order(first, second);
  return 0;
}
