// What is written after the release store is not ordered by it.
// EXPECT: race
#include <atomic>

#include "../support/in_order.h"

ALONE int data;
ALONE std::atomic<int> ready{0};

static void first() {
  ready.store(1, std::memory_order_release);
  data = 42;  // RACE A
}
static void second() {
  if (ready.load(std::memory_order_acquire) == 1) {
    keep(data);  // RACE B
  }
}

int main() { in_order(first, second); }
