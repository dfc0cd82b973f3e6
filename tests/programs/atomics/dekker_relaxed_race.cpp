// The same two flags with relaxed order: the data races.
// EXPECT: race
#include <atomic>

#include "../support/in_order.h"

std::atomic<int> wants[2];
ALONE int data;

static void enter(int me) {
  wants[me].store(1, std::memory_order_relaxed);
  if (wants[1 - me].load(std::memory_order_relaxed) == 0) {
    data += 1;  // RACE A|B
  }
  wants[me].store(0, std::memory_order_relaxed);
}
static void first() { enter(0); }
static void second() { enter(1); }

int main() { in_order(first, second); }
