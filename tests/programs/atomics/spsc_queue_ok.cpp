// A ring for one producer and one consumer, indices released and acquired.
// EXPECT: none
#include <atomic>

#include "../support/in_order.h"

int ring[4];
std::atomic<unsigned> head{0}, tail{0};

static void* produce(void*) {
  for (unsigned i = 0; i < 50; ++i) {
    while (i - tail.load(std::memory_order_acquire) == 4) inv_yield();
    ring[i % 4] = static_cast<int>(i);
    head.store(i + 1, std::memory_order_release);
  }
  return nullptr;
}
static void* consume(void*) {
  for (unsigned i = 0; i < 50; ++i) {
    while (head.load(std::memory_order_acquire) == i) inv_yield();
    keep(ring[i % 4]);
    tail.store(i + 1, std::memory_order_release);
  }
  return nullptr;
}

int main() {
  pthread_t a, b;
  pthread_create(&a, nullptr, produce, nullptr);
  pthread_create(&b, nullptr, consume, nullptr);
  pthread_join(a, nullptr);
  pthread_join(b, nullptr);
}
