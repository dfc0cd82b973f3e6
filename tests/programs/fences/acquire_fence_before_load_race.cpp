// The acquire fence stands before the load, where it does not help.
// EXPECT: race
#include <atomic>

#include "../support/in_order.h"

ALONE int data;
ALONE std::atomic<int> ready{0};

static void first() {
  data = 42;  // RACE A
  std::atomic_thread_fence(std::memory_order_release);
  ready.store(1, std::memory_order_relaxed);
}
static void second() {
  std::atomic_thread_fence(std::memory_order_acquire);
  if (ready.load(std::memory_order_relaxed) == 1) {
    keep(data);  // RACE B
  }
}

int main() { in_order(first, second); }
