// std::condition_variable_any over a shared_mutex.
// EXPECT: none
#include <condition_variable>
#include <shared_mutex>
#include <thread>

std::shared_mutex mutex;
std::condition_variable_any changed;
int data;
bool ready;

int main() {
  std::thread waiter([] {
    std::shared_lock<std::shared_mutex> lock(mutex);
    changed.wait(lock, [] { return ready; });
    if (data != 1) data = -1;
  });
  {
    std::unique_lock<std::shared_mutex> lock(mutex);
    data = 1;
    ready = true;
  }
  changed.notify_all();
  waiter.join();
  return data == 1 ? 0 : 1;
}
