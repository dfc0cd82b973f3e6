// Two flags, sequentially consistent: who sees the other's flag down owns the data.
// EXPECT: none
#include <atomic>

#include "../support/in_order.h"

std::atomic<int> wants[2];
ALONE int data;

static void enter(int me) {
  wants[me].store(1);
  if (wants[1 - me].load() == 0) data += 1;
  wants[me].store(0);
}
static void first() { enter(0); }
static void second() { enter(1); }

int main() { in_order(first, second); }
