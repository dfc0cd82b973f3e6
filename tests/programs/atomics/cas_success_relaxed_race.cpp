// A successful compare-exchange whose success order is relaxed orders nothing.
// EXPECT: race
#include <atomic>

#include "../support/in_order.h"

ALONE int data;
ALONE std::atomic<int> state{0};

static void first() {
  data = 42;  // RACE A
  state.store(1, std::memory_order_release);
}
static void second() {
  int expected = 1;
  if (state.compare_exchange_strong(expected, 2, std::memory_order_relaxed,
                                    std::memory_order_relaxed)) {
    keep(data);  // RACE B
  }
}

int main() { in_order(first, second); }
