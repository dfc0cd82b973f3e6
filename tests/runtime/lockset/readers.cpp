// A readers-writer lock held for reading does not protect a write. A spin lock is a lock.
#include <pthread.h>

#include "turns.h"

static std::shared_mutex lock;
static pthread_spinlock_t spin;

int main() {
  pthread_spin_init(&spin, PTHREAD_PROCESS_PRIVATE);
  auto* x = new long(0);
  auto* spun = new long(0);
  auto write = [=] {
    std::unique_lock<std::shared_mutex> g(lock);
    *x += 1;
  };
  auto read = [=] {
    std::shared_lock<std::shared_mutex> g(lock);
    return *x;
  };
  auto spinning = [=] {
    pthread_spin_lock(&spin);
    *spun += 1;
    pthread_spin_unlock(&spin);
  };
  std::thread a([&] {
    write();
    read();
    spinning();
    next_turn();
  });
  std::thread b([&] {
    wait_for(1);
    read();
    write();
    spinning();
    next_turn();
  });
  std::thread c([&] {
    wait_for(2);
    std::shared_lock<std::shared_mutex> g(lock);
    *x = 7;  // HERE
  });
  a.join();
  b.join();
  c.join();
}
