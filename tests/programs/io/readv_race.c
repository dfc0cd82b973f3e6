// readv fills two buffers; another thread looks at the second.
// EXPECT: race
#include <sys/uio.h>
#include <unistd.h>

#include "../support/check.h"
#include "../support/in_order.h"

char a[4], b[16];
int ends[2];

static void first(void) {
  struct iovec parts[2] = {{a, 4}, {b, 16}};
  CHECK(readv(ends[0], parts, 2) == 10);  // RACE A
}
static void second(void) { keep(b[5]); }  // RACE B

int main(void) {
  CHECK(pipe(ends) == 0);
  CHECK(write(ends[1], "0123456789", 10) == 10);
  in_order(first, second);
  return 0;
}
