// The same with plain read and write, as event loops do.
// EXPECT: none
#include <stdint.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "../support/check.h"
#include "../support/in_order.h"

ALONE int x;
int event;

static void first(void) {
  uint64_t one = 1;
  x = 1;
  CHECK(write(event, &one, sizeof one) == sizeof one);
}
static void second(void) {
  uint64_t value;
  CHECK(read(event, &value, sizeof value) == sizeof value);
  keep(x);
}

int main(void) {
  event = eventfd(0, 0);
  in_order(first, second);
  return 0;
}
