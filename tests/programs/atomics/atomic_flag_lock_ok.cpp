// A spin lock made of atomic_flag protects a counter.
// EXPECT: none
#include <atomic>

#include "../support/in_order.h"

std::atomic_flag busy = ATOMIC_FLAG_INIT;
ALONE int counter;

static void count() {
  for (int i = 0; i < 10; ++i) {
    while (busy.test_and_set(std::memory_order_acquire)) {
    }
    counter += 1;
    busy.clear(std::memory_order_release);
  }
}

int main() { in_order(count, count); }
