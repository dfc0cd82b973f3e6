// std::atomic::wait is woken by notify_one and acquires what was released.
// EXPECT: none
// FLAGS: -std=c++20
#include <atomic>
#include <thread>

int x;

int main() {
  std::atomic<int> ready{0};
  std::thread waiter([&ready] {
    ready.wait(0, std::memory_order_acquire);
    x += 1;
  });
  x = 1;
  ready.store(1, std::memory_order_release);
  ready.notify_one();
  waiter.join();
  return x == 2 ? 0 : 1;
}
