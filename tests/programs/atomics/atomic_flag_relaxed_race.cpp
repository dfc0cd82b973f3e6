// The same lock, cleared with relaxed order: it excludes but does not order.
// EXPECT: race
#include <atomic>

#include "../support/in_order.h"

std::atomic_flag busy = ATOMIC_FLAG_INIT;
ALONE int counter;

static void count() {
  while (busy.test_and_set(std::memory_order_acquire)) {
  }
  counter += 1;  // RACE A|B
  busy.clear(std::memory_order_relaxed);
}

int main() { in_order(count, count); }
