// Two shared owners of a std::shared_mutex, one of which writes.
// EXPECT: race
#include <shared_mutex>

#include "../support/in_order.h"

std::shared_mutex mutex;
ALONE int x;

static void first() {
  std::shared_lock<std::shared_mutex> lock(mutex);
  x = 1;  // RACE A
}
static void second() {
  std::shared_lock<std::shared_mutex> lock(mutex);
  keep(x);  // RACE B
}

int main() { in_order(first, second); }
