// The last owner deletes; the count goes down with acquire and release.
// EXPECT: none
#include <atomic>

#include "../support/in_order.h"

struct Shared {
  std::atomic<int> owners{2};
  int value = 0;
};
Shared* shared;

static void drop() {
  keep(shared->value);
  if (shared->owners.fetch_sub(1, std::memory_order_acq_rel) == 1) delete shared;
}

int main() {
  shared = new Shared;
  in_order(drop, drop);
}
