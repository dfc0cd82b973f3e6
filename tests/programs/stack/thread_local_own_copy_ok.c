// Each thread has its own copy of a thread-local variable.
// EXPECT: none
#include "../support/in_order.h"

static __thread int mine;

static void use(void) {
  mine += 1;
  keep(mine);
}

int main(void) {
  in_order3(use, use, use);
  return 0;
}
