// A relaxed store of another thread ends the release sequence: who reads it is not ordered.
// EXPECT: race
#include <atomic>

#include "../support/in_order.h"

ALONE int data;
ALONE std::atomic<int> state{0};

static void first() {
  data = 42;  // RACE A
  state.store(1, std::memory_order_release);
}
static void second() { state.store(2, std::memory_order_relaxed); }
static void third() {
  if (state.load(std::memory_order_acquire) == 2) {
    keep(data);  // RACE B
  }
}

int main() { in_order3(first, second, third); }
