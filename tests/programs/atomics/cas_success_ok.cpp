// A successful compare-exchange with acquire takes over what was released.
// EXPECT: none
#include <atomic>

#include "../support/in_order.h"

ALONE int data;
ALONE std::atomic<int> state{0};

static void first() {
  data = 42;
  state.store(1, std::memory_order_release);
}
static void second() {
  int expected = 1;
  if (state.compare_exchange_strong(expected, 2, std::memory_order_acquire)) keep(data);
}

int main() { in_order(first, second); }
