// A stop request orders what came before it with who sees it.
// EXPECT: none
// FLAGS: -std=c++20
#include <thread>

int x;

int main() {
  std::jthread thread([](std::stop_token token) {
    while (!token.stop_requested()) std::this_thread::yield();
    x += 1;
  });
  x = 1;
  thread.request_stop();
  thread.join();
  return x == 2 ? 0 : 1;
}
