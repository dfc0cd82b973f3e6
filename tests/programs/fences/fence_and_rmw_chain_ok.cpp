// A release fence heads a relaxed read-modify-write; another one goes on with the sequence.
// EXPECT: none
#include <atomic>

#include "../support/in_order.h"

ALONE int data;
ALONE std::atomic<int> state{0};

static void first() {
  data = 42;
  std::atomic_thread_fence(std::memory_order_release);
  state.fetch_add(1, std::memory_order_relaxed);
}
static void second() { state.fetch_add(1, std::memory_order_relaxed); }
static void third() {
  if (state.load(std::memory_order_relaxed) == 2) {
    std::atomic_thread_fence(std::memory_order_acquire);
    keep(data);
  }
}

int main() { in_order3(first, second, third); }
