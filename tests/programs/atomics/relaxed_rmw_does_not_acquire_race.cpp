// A relaxed read-modify-write reads the flag but does not acquire.
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
  if (state.fetch_add(1, std::memory_order_relaxed) == 1) {
    keep(data);  // RACE B
  }
}

int main() { in_order(first, second); }
