// Each thread makes the object, one compare-exchange decides whose is kept.
// EXPECT: none
#include <atomic>

#include "../support/in_order.h"

std::atomic<int*> object{nullptr};

static int* get() {
  int* p = object.load(std::memory_order_acquire);
  if (p != nullptr) return p;
  int* mine = new int(42);
  if (object.compare_exchange_strong(p, mine, std::memory_order_acq_rel)) return mine;
  delete mine;
  return p;
}
static void use() { keep(*get()); }

int main() {
  in_order(use, use);
  delete object.load();
}
