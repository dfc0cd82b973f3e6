// A sequence lock over plain data: the reader's look at it races with the next writer.
// EXPECT: race
#include <atomic>

#include "../support/in_order.h"

ALONE std::atomic<unsigned> sequence{0};
ALONE int data;

static void reader() {
  unsigned before = sequence.load(std::memory_order_acquire);
  int value = data;  // RACE A
  std::atomic_thread_fence(std::memory_order_acquire);
  if (before == sequence.load(std::memory_order_relaxed)) keep(value);
}
static void writer() {
  sequence.fetch_add(1, std::memory_order_acq_rel);
  data = 1;  // RACE B
  sequence.fetch_add(1, std::memory_order_release);
}

int main() { in_order(reader, writer); }
