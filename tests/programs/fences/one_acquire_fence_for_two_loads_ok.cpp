// One acquire fence covers all the relaxed loads before it.
// EXPECT: none
#include <atomic>

#include "../support/in_order.h"

ALONE int a;
ALONE int b;
ALONE std::atomic<int> a_ready{0};
ALONE std::atomic<int> b_ready{0};

static void first() {
  a = 1;
  a_ready.store(1, std::memory_order_release);
}
static void second() {
  b = 2;
  b_ready.store(1, std::memory_order_release);
}
static void third() {
  int both = a_ready.load(std::memory_order_relaxed) + b_ready.load(std::memory_order_relaxed);
  std::atomic_thread_fence(std::memory_order_acquire);
  if (both == 2) keep(a + b);
}

int main() { in_order3(first, second, third); }
