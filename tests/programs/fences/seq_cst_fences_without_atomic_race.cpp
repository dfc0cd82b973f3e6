// Two sequentially consistent fences with no atomic read between them order no plain data.
// EXPECT: race
#include <atomic>

#include "../support/in_order.h"

ALONE int data;

static void first() {
  data = 42;  // RACE A
  std::atomic_thread_fence(std::memory_order_seq_cst);
}
static void second() {
  std::atomic_thread_fence(std::memory_order_seq_cst);
  keep(data);  // RACE B
}

int main() { in_order(first, second); }
