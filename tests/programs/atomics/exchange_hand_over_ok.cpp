// A pointer is handed over by exchange with acquire and release.
// EXPECT: none
#include <atomic>

#include "../support/in_order.h"

ALONE int data;
ALONE std::atomic<int*> slot{nullptr};

static void first() {
  data = 42;
  slot.exchange(&data, std::memory_order_acq_rel);
}
static void second() {
  int* p = slot.exchange(nullptr, std::memory_order_acq_rel);
  if (p != nullptr) *p += 1;
}

int main() { in_order(first, second); }
