// Publication with the old __sync builtins.
// EXPECT: none
#include "../support/in_order.h"

ALONE int data;
ALONE int ready;

static void first(void) {
  data = 42;
  __sync_fetch_and_add(&ready, 1);
}
static void second(void) {
  if (__sync_bool_compare_and_swap(&ready, 1, 2)) keep(data);
}

int main(void) {
  in_order(first, second);
  return 0;
}
