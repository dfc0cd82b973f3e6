// The middle of the chain reads relaxed: the ends are not ordered.
// EXPECT: race
#include <atomic>

#include "../support/in_order.h"

ALONE int data;
ALONE std::atomic<int> a{0};
ALONE std::atomic<int> b{0};

static void first() {
  data = 42;  // RACE A
  a.store(1, std::memory_order_release);
}
static void second() {
  if (a.load(std::memory_order_relaxed)) b.store(1, std::memory_order_release);
}
static void third() {
  if (b.load(std::memory_order_acquire)) {
    data += 1;  // RACE B
  }
}

int main() { in_order3(first, second, third); }
