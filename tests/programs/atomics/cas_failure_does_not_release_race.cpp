// A failed compare-exchange is only a load: it releases nothing.
// EXPECT: race
#include <atomic>

#include "../support/in_order.h"

ALONE int data;
ALONE std::atomic<int> state{0};

static void first() {
  data = 42;  // RACE A
  int expected = 7;
  state.compare_exchange_strong(expected, 1, std::memory_order_acq_rel, std::memory_order_acquire);
}
static void second() {
  keep(state.load(std::memory_order_acquire));
  keep(data);  // RACE B
}

int main() { in_order(first, second); }
