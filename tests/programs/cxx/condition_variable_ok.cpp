// std::condition_variable with a predicate.
// EXPECT: none
#include <condition_variable>
#include <mutex>
#include <thread>

std::mutex mutex;
std::condition_variable changed;
int data;
bool ready;

int main() {
  std::thread waiter([] {
    std::unique_lock<std::mutex> lock(mutex);
    changed.wait(lock, [] { return ready; });
    data += 1;
  });
  {
    std::lock_guard<std::mutex> guard(mutex);
    data = 1;
    ready = true;
  }
  changed.notify_one();
  waiter.join();
  return data == 2 ? 0 : 1;
}
