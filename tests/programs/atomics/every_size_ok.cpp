// Publication through atomics of one, two, four and eight bytes.
// EXPECT: none
#include <atomic>
#include <cstdint>

#include "../support/in_order.h"

template <class T>
struct Cell {
  ALONE int data;
  ALONE std::atomic<T> ready{0};
  void put() {
    data = 1;
    ready.store(1, std::memory_order_release);
  }
  void get() {
    if (ready.load(std::memory_order_acquire)) keep(data);
  }
};
Cell<std::uint8_t> one;
Cell<std::uint16_t> two;
Cell<std::uint32_t> four;
Cell<std::uint64_t> eight;

static void first() {
  one.put();
  two.put();
  four.put();
  eight.put();
}
static void get1() { one.get(), two.get(); }
static void get2() { eight.get(), four.get(); }

int main() { in_order3(first, get1, get2); }
