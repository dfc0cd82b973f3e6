// The ring's consumer gives its slot back with a relaxed store: the producer races with its read.
// EXPECT: race
#include <atomic>

#include "../support/in_order.h"

ALONE int slot;
ALONE std::atomic<unsigned> head{0};
ALONE std::atomic<unsigned> tail{0};

static NOINLINE void put(int value) {
  slot = value;  // RACE B
  head.store(head.load(std::memory_order_relaxed) + 1, std::memory_order_release);
}
static void* produce(void*) {
  put(1);
  inv_post(1);
  inv_wait(2);
  if (tail.load(std::memory_order_acquire) == 1) put(2);
  return nullptr;
}
static void* consume(void*) {
  inv_wait(1);
  if (head.load(std::memory_order_acquire) == 1) {
    keep(slot);  // RACE A
  }
  tail.store(1, std::memory_order_relaxed);
  inv_post(2);
  return nullptr;
}

int main() {
  pthread_t a, b;
  pthread_create(&a, nullptr, produce, nullptr);
  pthread_create(&b, nullptr, consume, nullptr);
  pthread_join(a, nullptr);
  pthread_join(b, nullptr);
}
