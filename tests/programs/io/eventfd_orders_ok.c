// An event descriptor orders the write before the read.
// EXPECT: none
#include <sys/eventfd.h>

#include "../support/check.h"
#include "../support/in_order.h"

ALONE int x;
int event;

static void first(void) {
  x = 1;
  CHECK(eventfd_write(event, 1) == 0);
}
static void second(void) {
  eventfd_t value;
  CHECK(eventfd_read(event, &value) == 0);
  keep(x);
}

int main(void) {
  event = eventfd(0, 0);
  in_order(first, second);
  return 0;
}
