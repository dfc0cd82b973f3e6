// A relaxed read-modify-write by a third thread goes on with the release sequence.
// EXPECT: none
#include <atomic>

#include "../support/in_order.h"

ALONE int data;
ALONE std::atomic<int> state{0};

static void first() {
  data = 42;
  state.store(1, std::memory_order_release);
}
static void second() { state.fetch_add(1, std::memory_order_relaxed); }
static void third() {
  if (state.load(std::memory_order_acquire) == 2) keep(data);
}

int main() { in_order3(first, second, third); }
