// __tsan_release and __tsan_acquire on one address order two threads.
// EXPECT: none
#include "../support/annotations.h"
#include "../support/in_order.h"

ALONE int x;
ALONE int token;

static void first() {
  x = 1;
  CALL(__tsan_release, &token);
}
static void second() {
  CALL(__tsan_acquire, &token);
  keep(x);
}

int main() { in_order(first, second); }
