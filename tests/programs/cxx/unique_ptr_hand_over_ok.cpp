// An object goes from thread to thread in a queue under a mutex, and is destroyed by the last.
// EXPECT: none
#include <deque>
#include <memory>
#include <mutex>

#include "../support/in_order.h"

std::deque<std::unique_ptr<int>> queue;
std::mutex mutex;

static void put() {
  auto object = std::make_unique<int>(41);
  std::lock_guard<std::mutex> guard(mutex);
  queue.push_back(std::move(object));
}
static void take() {
  std::unique_ptr<int> object;
  {
    std::lock_guard<std::mutex> guard(mutex);
    object = std::move(queue.front());
    queue.pop_front();
  }
  *object += 1;
  keep(*object);
}

int main() { in_order4(put, take, put, take); }
