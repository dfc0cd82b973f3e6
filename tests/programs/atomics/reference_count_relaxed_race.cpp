// The count goes down relaxed: the last owner's delete races with the other's last use.
// EXPECT: race
#include <atomic>

#include "../support/in_order.h"

struct Shared {
  std::atomic<int> owners{2};
  ALONE int value = 0;
};
Shared* shared;

static NOINLINE void destroy(Shared* s) {
  s->value = -1;  // RACE B
}

static void drop() {
  keep(shared->value);  // RACE A
  if (shared->owners.fetch_sub(1, std::memory_order_relaxed) == 1) destroy(shared);
}

int main() {
  shared = new Shared;
  in_order(drop, drop);
  delete shared;
}
