// A hand-made spin lock that unlocks with a relaxed store.
// EXPECT: race
#include <atomic>

#include "../support/in_order.h"

std::atomic<int> locked{0};
ALONE int data;

static void update() {
  int expected = 0;
  while (!locked.compare_exchange_weak(expected, 1, std::memory_order_acquire)) expected = 0;
  data += 1;  // RACE A|B
  locked.store(0, std::memory_order_relaxed);
}

int main() { in_order(update, update); }
