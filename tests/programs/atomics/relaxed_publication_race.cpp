// Relaxed atomics order nothing: the data races although the flag does not.
// EXPECT: race
#include <atomic>

#include "../support/in_order.h"

ALONE int data;
ALONE std::atomic<int> ready{0};

static void first() {
  data = 42;  // RACE A
  ready.store(1, std::memory_order_relaxed);
}
static void second() {
  if (ready.load(std::memory_order_relaxed) == 1) {
    keep(data);  // RACE B
  }
}

int main() { in_order(first, second); }
