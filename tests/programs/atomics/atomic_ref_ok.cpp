// std::atomic_ref over plain ints orders as std::atomic does.
// EXPECT: none
// FLAGS: -std=c++20
// ONLY: gcc|clang-19 (clang 14 lacks it)
#include <atomic>

#include "../support/in_order.h"

ALONE int data;
ALONE int ready;

static void first() {
  data = 42;
  std::atomic_ref<int>(ready).store(1, std::memory_order_release);
}
static void second() {
  if (std::atomic_ref<int>(ready).load(std::memory_order_acquire)) keep(data);
}

int main() { in_order(first, second); }
