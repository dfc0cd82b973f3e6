// The release fence stands after the store, where it does not help.
// EXPECT: race
#include <atomic>

#include "../support/in_order.h"

ALONE int data;
ALONE std::atomic<int> ready{0};

static void first() {
  data = 42;  // RACE A
  ready.store(1, std::memory_order_relaxed);
  std::atomic_thread_fence(std::memory_order_release);
}
static void second() {
  if (ready.load(std::memory_order_relaxed) == 1) {
    std::atomic_thread_fence(std::memory_order_acquire);
    keep(data);  // RACE B
  }
}

int main() { in_order(first, second); }
