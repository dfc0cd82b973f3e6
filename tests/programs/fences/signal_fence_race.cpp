// A signal fence orders a thread with its own handlers, not with other threads.
// EXPECT: race
#include <atomic>

#include "../support/in_order.h"

ALONE int data;
ALONE std::atomic<int> ready{0};

static void first() {
  data = 42;  // RACE A
  std::atomic_signal_fence(std::memory_order_release);
  ready.store(1, std::memory_order_relaxed);
}
static void second() {
  if (ready.load(std::memory_order_relaxed) == 1) {
    std::atomic_signal_fence(std::memory_order_acquire);
    keep(data);  // RACE B
  }
}

int main() { in_order(first, second); }
