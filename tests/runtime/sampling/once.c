// One race, once.
#include "in_order.h"

static int shared ALONE;

static void write_first(void) {
  shared = 1;
}
static void write_second(void) {
  shared = 2;
}

int main(void) {
  keep_address(&shared);
  in_order(write_first, write_second);
}
