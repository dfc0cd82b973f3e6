// std::jthread stops and joins by itself; what it wrote is ordered after.
// EXPECT: none
// FLAGS: -std=c++20
#include <thread>

int x;

int main() {
  {
    std::jthread thread([](std::stop_token token) {
      while (!token.stop_requested()) std::this_thread::yield();
      x = 1;
    });
  }
  return x == 1 ? 0 : 1;
}
