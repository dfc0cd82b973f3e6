// Two concurrent readers, both joined before the write.
// EXPECT: none
#include "../support/in_order.h"

int x = 1;

static void reader(void) { keep(x); }

int main(void) {
  in_order(reader, reader);
  x = 2;
  keep(x);
  return 0;
}
