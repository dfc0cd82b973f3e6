// What is read before the acquire load is not ordered by it.
// EXPECT: race
#include <atomic>

#include "../support/in_order.h"

ALONE int data;
ALONE std::atomic<int> ready{0};

static void first() {
  data = 42;  // RACE A
  ready.store(1, std::memory_order_release);
}
static void second() {
  keep(data);  // RACE B
  keep(ready.load(std::memory_order_acquire));
}

int main() { in_order(first, second); }
