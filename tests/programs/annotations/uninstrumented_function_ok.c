// A function without instrumentation is not looked at.
// EXPECT: none
#include "../support/in_order.h"

int x;

__attribute__((no_sanitize("thread"), noinline)) static void update(void) {
  x = x + 1;
  keep(0);
}

int main(void) {
  in_order(update, update);
  return 0;
}
