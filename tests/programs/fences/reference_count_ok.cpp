// The usual reference count: release on every decrement, an acquire fence before the delete.
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
  if (shared->owners.fetch_sub(1, std::memory_order_release) == 1) {
    std::atomic_thread_fence(std::memory_order_acquire);
    delete shared;
  }
}

int main() {
  shared = new Shared;
  in_order(drop, drop);
}
