// std::scoped_lock takes two mutexes, in either order, without a deadlock.
// EXPECT: none
#include <mutex>
#include <thread>

std::mutex a, b;
int x;

int main() {
  std::thread one([] {
    for (int i = 0; i < 50; ++i) {
      std::scoped_lock lock(a, b);
      ++x;
    }
  });
  std::thread two([] {
    for (int i = 0; i < 50; ++i) {
      std::scoped_lock lock(b, a);
      ++x;
    }
  });
  one.join();
  two.join();
  return x == 100 ? 0 : 1;
}
