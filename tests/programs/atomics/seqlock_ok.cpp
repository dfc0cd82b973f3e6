// A sequence lock whose data are relaxed atomics, with the fences Boehm asks for.
// EXPECT: none
#include <atomic>

#include "../support/in_order.h"

std::atomic<unsigned> sequence{0};
std::atomic<int> a{0}, b{0};

static void first() {
  unsigned s = sequence.load(std::memory_order_relaxed);
  sequence.store(s + 1, std::memory_order_relaxed);
  std::atomic_thread_fence(std::memory_order_release);
  a.store(1, std::memory_order_relaxed);
  b.store(2, std::memory_order_relaxed);
  sequence.store(s + 2, std::memory_order_release);
}
static void second() {
  unsigned before, after;
  int sum;
  do {
    before = sequence.load(std::memory_order_acquire);
    sum = a.load(std::memory_order_relaxed) + b.load(std::memory_order_relaxed);
    std::atomic_thread_fence(std::memory_order_acquire);
    after = sequence.load(std::memory_order_relaxed);
  } while (before != after || (before & 1) != 0);
  keep(sum);
}

int main() { in_order(first, second); }
