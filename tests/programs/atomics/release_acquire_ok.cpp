// A release store and the acquire load that reads it order the data.
// EXPECT: none
#include <atomic>

#include "../support/in_order.h"

ALONE int data;
ALONE std::atomic<int> ready{0};

static void first() {
  data = 42;
  ready.store(1, std::memory_order_release);
}
static void second() {
  if (ready.load(std::memory_order_acquire) == 1) keep(data);
}

int main() { in_order(first, second); }
