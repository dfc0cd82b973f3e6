// Happens-before is transitive: one to two by one flag, two to three by another.
// EXPECT: none
#include <atomic>

#include "../support/in_order.h"

ALONE int data;
ALONE std::atomic<int> a{0};
ALONE std::atomic<int> b{0};

static void first() {
  data = 42;
  a.store(1, std::memory_order_release);
}
static void second() {
  if (a.load(std::memory_order_acquire)) b.store(1, std::memory_order_release);
}
static void third() {
  if (b.load(std::memory_order_acquire)) data += 1;
}

int main() { in_order3(first, second, third); }
