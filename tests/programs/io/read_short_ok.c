// read touches only as many bytes as it returns.
// EXPECT: none
#include <unistd.h>

#include "../support/check.h"
#include "../support/in_order.h"

char buffer[16];
int ends[2];

static void first(void) { CHECK(read(ends[0], buffer, 16) == 10); }
static void second(void) { buffer[10] = 1; }

int main(void) {
  CHECK(pipe(ends) == 0);
  CHECK(write(ends[1], "0123456789", 10) == 10);
  in_order(first, second);
  return 0;
}
