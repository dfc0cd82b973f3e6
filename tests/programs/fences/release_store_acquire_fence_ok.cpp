// A release store pairs with a relaxed load and the acquire fence after it.
// EXPECT: none
#include <atomic>

#include "../support/in_order.h"

ALONE int data;
ALONE std::atomic<int> ready{0};

static void first() {
  data = 42;
  ready.store(1, std::memory_order_release);
}
static void second() {
  if (ready.load(std::memory_order_relaxed) == 1) {
    std::atomic_thread_fence(std::memory_order_acquire);
    keep(data);
  }
}

int main() { in_order(first, second); }
