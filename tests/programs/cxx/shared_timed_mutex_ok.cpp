// std::shared_timed_mutex with timeouts that are not reached.
// EXPECT: none
#include <chrono>
#include <shared_mutex>

#include "../support/check.h"
#include "../support/in_order.h"

std::shared_timed_mutex mutex;
int x;

static void write_it() {
  CHECK(mutex.try_lock_for(std::chrono::hours(1)));
  ++x;
  mutex.unlock();
}
static void read_it() {
  CHECK(mutex.try_lock_shared_for(std::chrono::hours(1)));
  keep(x);
  mutex.unlock_shared();
}

int main() { in_order3(write_it, read_it, write_it); }
