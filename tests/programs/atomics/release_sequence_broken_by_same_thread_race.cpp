// Since C++20 a relaxed store of the same thread ends its release sequence too.
// EXPECT: race
// FLAGS: -std=c++20
#include <atomic>

#include "../support/in_order.h"

ALONE int data;
ALONE std::atomic<int> state{0};

static void first() {
  data = 42;  // RACE A
  state.store(1, std::memory_order_release);
  state.store(2, std::memory_order_relaxed);
}
static void second() {
  if (state.load(std::memory_order_acquire) == 2) {
    keep(data);  // RACE B
  }
}

int main() { in_order(first, second); }
