// A second release store replaces the first: its reader is ordered after the second thread alone.
// EXPECT: race
#include <atomic>

#include "../support/in_order.h"

ALONE int a;
ALONE int b;
ALONE std::atomic<int> state{0};

static void first() {
  a = 1;  // RACE A
  state.store(1, std::memory_order_release);
}
static void second() {
  b = 2;
  state.store(2, std::memory_order_release);
}
static void third() {
  if (state.load(std::memory_order_acquire) == 2) {
    keep(b);
    keep(a);  // RACE B
  }
}

int main() { in_order3(first, second, third); }
