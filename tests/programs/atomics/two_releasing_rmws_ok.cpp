// Two producers release with read-modify-writes; one acquire takes over from both.
// EXPECT: none
#include <atomic>

#include "../support/in_order.h"

ALONE int a;
ALONE int b;
ALONE std::atomic<int> done{0};

static void first() {
  a = 1;
  done.fetch_add(1, std::memory_order_release);
}
static void second() {
  b = 2;
  done.fetch_add(1, std::memory_order_release);
}
static void third() {
  if (done.load(std::memory_order_acquire) == 2) keep(a + b);
}

int main() { in_order3(first, second, third); }
