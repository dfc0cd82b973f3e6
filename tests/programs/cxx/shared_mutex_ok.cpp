// std::shared_mutex: writers and readers in turn.
// EXPECT: none
#include <mutex>
#include <shared_mutex>

#include "../support/in_order.h"

std::shared_mutex mutex;
int x;

static void write_it() {
  std::unique_lock<std::shared_mutex> lock(mutex);
  ++x;
}
static void read_it() {
  std::shared_lock<std::shared_mutex> lock(mutex);
  keep(x);
}

int main() { in_order4(write_it, read_it, read_it, write_it); }
