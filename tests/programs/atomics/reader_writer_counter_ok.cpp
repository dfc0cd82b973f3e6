// A reader-writer lock made of one counter: readers add one, a writer claims it whole.
// EXPECT: none
#include <atomic>

#include "../support/in_order.h"

std::atomic<int> state{0};  // readers inside, or -1 for a writer
ALONE int data;

static void read_it() {
  int s = state.load(std::memory_order_relaxed);
  while (s < 0 || !state.compare_exchange_weak(s, s + 1, std::memory_order_acquire))
    s = state.load(std::memory_order_relaxed);
  keep(data);
  state.fetch_sub(1, std::memory_order_release);
}
static void write_it() {
  int none = 0;
  while (!state.compare_exchange_weak(none, -1, std::memory_order_acquire)) none = 0;
  data += 1;
  state.store(0, std::memory_order_release);
}

int main() { in_order4(write_it, read_it, read_it, write_it); }
