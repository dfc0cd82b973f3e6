// An acquire read-modify-write publishes nothing of its own thread.
// EXPECT: race
#include <atomic>

#include "../support/in_order.h"

ALONE int data;
ALONE std::atomic<int> state{0};

static void first() {
  data = 42;  // RACE A
  state.fetch_add(1, std::memory_order_acquire);
}
static void second() {
  if (state.load(std::memory_order_acquire) == 1) {
    keep(data);  // RACE B
  }
}

int main() { in_order(first, second); }
