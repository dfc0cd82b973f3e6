// Adding to an atomic double is a compare-exchange loop.
// EXPECT: none
#include <atomic>

#include "../support/in_order.h"

std::atomic<double> sum{0};

static void add() {
  for (int i = 0; i < 20; ++i) {
    double old = sum.load();
    while (!sum.compare_exchange_weak(old, old + 0.5)) {
    }
  }
}

int main() {
  in_order(add, add);
  return sum.load() == 20.0 ? 0 : 1;
}
