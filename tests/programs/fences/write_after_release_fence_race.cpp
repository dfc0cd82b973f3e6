// The data is written between the release fence and the store: the fence does not cover it.
// EXPECT: race
#include <atomic>

#include "../support/in_order.h"

ALONE int data;
ALONE std::atomic<int> ready{0};

static void first() {
  std::atomic_thread_fence(std::memory_order_release);
  data = 42;  // RACE A
  ready.store(1, std::memory_order_relaxed);
}
static void second() {
  if (ready.load(std::memory_order_acquire) == 1) {
    keep(data);  // RACE B
  }
}

int main() { in_order(first, second); }
