// A stop request orders what came before it with who sees it.
// EXPECT: none
// FLAGS: -std=c++20
#include <thread>

int x;

int main() {
  std::stop_source source;
  std::jthread thread([token = source.get_token()] {
    while (!token.stop_requested()) std::this_thread::yield();
    x += 1;
  });
  x = 1;
  source.request_stop();
  thread.join();
  return x == 2 ? 0 : 1;
}
