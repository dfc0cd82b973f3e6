// Double-checked locking with an atomic pointer.
// EXPECT: none
#include <atomic>
#include <mutex>

#include "../support/in_order.h"

struct Singleton {
  int value = 42;
};
std::atomic<Singleton*> instance{nullptr};
std::mutex mutex;

static Singleton* get() {
  Singleton* p = instance.load(std::memory_order_acquire);
  if (p == nullptr) {
    std::lock_guard<std::mutex> guard(mutex);
    p = instance.load(std::memory_order_relaxed);
    if (p == nullptr) instance.store(p = new Singleton, std::memory_order_release);
  }
  return p;
}
static void use() { keep(get()->value); }

int main() {
  in_order(use, use);
  delete instance.load();
}
