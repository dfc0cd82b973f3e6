// A notification by itself orders nothing in C++: only the mutex does.
// EXPECT: race
#include <condition_variable>
#include <mutex>

#include "../support/in_order.h"

ALONE int data;
std::mutex mutex;
std::condition_variable changed;

static void* waiter(void*) {
  std::unique_lock<std::mutex> lock(mutex);
  inv_post(1);
  changed.wait(lock);
  inv_wait(3);
  keep(data);  // RACE B
  return nullptr;
}
static void* notifier(void*) {
  inv_wait(1);
  mutex.lock();  // from here on the other thread waits
  mutex.unlock();
  data = 42;  // RACE A
  changed.notify_one();
  inv_post(3);
  return nullptr;
}

int main() {
  pthread_t a, b;
  pthread_create(&a, nullptr, waiter, nullptr);
  pthread_create(&b, nullptr, notifier, nullptr);
  pthread_join(a, nullptr);
  pthread_join(b, nullptr);
}
