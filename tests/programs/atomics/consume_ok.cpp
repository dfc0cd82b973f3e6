// A consume load orders what depends on it; here it is as good as an acquire.
// EXPECT: none
#include <atomic>

#include "../support/in_order.h"

ALONE int data;
ALONE std::atomic<int*> published{nullptr};

static void first() {
  data = 42;
  published.store(&data, std::memory_order_release);
}
static void second() {
  int* p = published.load(std::memory_order_consume);
  if (p != nullptr) keep(*p);
}

int main() { in_order(first, second); }
