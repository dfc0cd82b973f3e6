// The exception unwinds through a lock's guard, which unlocks.
// EXPECT: none
#include <mutex>

#include "../support/in_order.h"

int x;
std::mutex mutex;

static NOINLINE void update_and_throw() {
  std::lock_guard<std::mutex> guard(mutex);
  x += 1;
  throw 1;
}
static void use() {
  try {
    update_and_throw();
  } catch (int) {
    keep(0);
  }
}

int main() { in_order(use, use); }
