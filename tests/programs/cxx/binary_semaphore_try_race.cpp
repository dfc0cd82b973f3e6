// A try_acquire of std::binary_semaphore that fails orders nothing.
// EXPECT: race
// FLAGS: -std=c++20
#include <semaphore>
#include <thread>

#include "../support/check.h"
#include "../support/in_order.h"

ALONE int x;
std::binary_semaphore semaphore(0);

static void first() {
  x = 1;  // RACE A
  semaphore.release();
  semaphore.acquire();
}
static void second() {
  CHECK(!semaphore.try_acquire());
  keep(x);  // RACE B
}

int main() { in_order(first, second); }
