// Sequentially consistent operations are also release and acquire.
// EXPECT: none
#include <atomic>

#include "../support/in_order.h"

ALONE int data;
ALONE std::atomic<bool> ready{false};

static void first() {
  data = 42;
  ready = true;
}
static void second() {
  if (ready) keep(data);
}

int main() { in_order(first, second); }
