// Two atomic bytes of one word are two objects: a release of one is no acquire of the other.
// EXPECT: race
#include <atomic>

#include "../support/in_order.h"

ALONE int data;
ALONE std::atomic<char> flags[2];

static void first() {
  data = 42;  // RACE A
  flags[0].store(1, std::memory_order_release);
}
static void second() {
  keep(flags[1].load(std::memory_order_acquire));
  keep(data);  // RACE B
}

int main() { in_order(first, second); }
