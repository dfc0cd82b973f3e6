// Sequentially consistent fences are release and acquire fences too.
// EXPECT: none
#include <atomic>

#include "../support/in_order.h"

ALONE int data;
ALONE std::atomic<int> ready{0};

static void first() {
  data = 42;
  std::atomic_thread_fence(std::memory_order_seq_cst);
  ready.store(1, std::memory_order_relaxed);
}
static void second() {
  if (ready.load(std::memory_order_relaxed) == 1) {
    std::atomic_thread_fence(std::memory_order_seq_cst);
    keep(data);
  }
}

int main() { in_order(first, second); }
