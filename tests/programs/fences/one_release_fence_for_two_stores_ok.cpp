// One release fence covers all the relaxed stores after it.
// EXPECT: none
#include <atomic>

#include "../support/in_order.h"

ALONE int data;
ALONE std::atomic<int> flags[2];

static void first() {
  data = 42;
  std::atomic_thread_fence(std::memory_order_release);
  flags[0].store(1, std::memory_order_relaxed);
  flags[1].store(1, std::memory_order_relaxed);
}
static void second() {
  if (flags[0].load(std::memory_order_acquire)) keep(data);
}
static void third() {
  if (flags[1].load(std::memory_order_acquire)) keep(data);
}

int main() { in_order3(first, second, third); }
