// Message passing over atomics: everything relaxed, so that the flag may come before the data.
#include <atomic>
#include <cstdio>
#include <sched.h>
#include <thread>

std::atomic<int> data{0}, flag{0};

int main() {
  std::thread sender([] {
    data.store(42, std::memory_order_relaxed);
    flag.store(1, std::memory_order_relaxed);
  });
  int got = 0;
  std::thread receiver([&] {
    while (flag.load(std::memory_order_relaxed) == 0) sched_yield();
    got = data.load(std::memory_order_relaxed);
  });
  sender.join();
  receiver.join();
  std::printf("%d\n", got);
}
