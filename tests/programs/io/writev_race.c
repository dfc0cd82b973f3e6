// writev reads two buffers; another thread stored to the second.
// EXPECT: race
#include <sys/uio.h>
#include <unistd.h>

#include "../support/check.h"
#include "../support/in_order.h"

char a[4], b[16];
int ends[2];

static void first(void) { b[15] = 1; }  // RACE A
static void second(void) {
  struct iovec parts[2] = {{a, 4}, {b, 16}};
  CHECK(writev(ends[1], parts, 2) == 20);  // RACE B
}

int main(void) {
  CHECK(pipe(ends) == 0);
  in_order(first, second);
  return 0;
}
