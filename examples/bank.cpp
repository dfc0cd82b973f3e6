// A bank with two tellers. `total` is guarded by a mutex; `last_teller` is not, and the report shows
// who touched it. `opened` is published by an atomic, so reading it races with nothing.
#include <atomic>
#include <cstdio>
#include <mutex>
#include <thread>

struct Bank {
  std::mutex mutex;
  long total = 0;
  int last_teller = 0;
  int opened_at = 0;
  std::atomic<bool> opened{false};
};

void serve(Bank& bank, int teller) {
  while (!bank.opened.load(std::memory_order_acquire)) std::this_thread::yield();
  for (int customer = 0; customer < 1000; ++customer) {
    {
      const std::lock_guard<std::mutex> lock(bank.mutex);
      bank.total += bank.opened_at;
    }
    bank.last_teller = teller;  // outside the lock
  }
}

int main() {
  Bank bank;
  std::thread ann(serve, std::ref(bank), 1);
  std::thread bob(serve, std::ref(bank), 2);
  bank.opened_at = 9;
  bank.opened.store(true, std::memory_order_release);
  ann.join();
  bob.join();
  std::printf("total %ld\n", bank.total);
}
