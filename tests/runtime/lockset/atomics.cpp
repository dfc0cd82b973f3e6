// Atomic accesses protect each other.
#include "turns.h"

int main() {
  auto* n = new std::atomic<long>(0);
  auto add = [=] {
    for (int i = 0; i < 100; ++i) n->fetch_add(1, std::memory_order_relaxed);
  };
  std::thread a(add), b(add);
  a.join();
  b.join();
  return n->load() == 200 ? 0 : 1;
}
