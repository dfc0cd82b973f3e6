// A release fence before a relaxed store, an acquire fence after the relaxed load that reads it.
// EXPECT: none
#include <atomic>

#include "../support/in_order.h"

ALONE int data;
ALONE std::atomic<int> ready{0};

static void first() {
  data = 42;
  std::atomic_thread_fence(std::memory_order_release);
  ready.store(1, std::memory_order_relaxed);
}
static void second() {
  if (ready.load(std::memory_order_relaxed) == 1) {
    std::atomic_thread_fence(std::memory_order_acquire);
    keep(data);
  }
}

int main() { in_order(first, second); }
