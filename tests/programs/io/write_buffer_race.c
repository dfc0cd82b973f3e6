// write reads a buffer that another thread stored to.
// EXPECT: race
#include <unistd.h>

#include "../support/check.h"
#include "../support/in_order.h"

char buffer[16];
int ends[2];

static void first(void) { buffer[7] = 1; }  // RACE A
static void second(void) {
  CHECK(write(ends[1], buffer, 16) == 16);  // RACE B
}

int main(void) {
  CHECK(pipe(ends) == 0);
  in_order(first, second);
  return 0;
}
