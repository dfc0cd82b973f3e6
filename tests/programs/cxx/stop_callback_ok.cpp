// A stop callback runs in the thread that asks for the stop.
// EXPECT: none
// FLAGS: -std=c++20
#include <optional>
#include <stop_token>
#include <thread>

int x;

int main() {
  std::stop_source source;
  std::stop_callback callback(source.get_token(), [] { x += 1; });
  std::thread asker([&source] {
    x += 1;
    source.request_stop();
  });
  asker.join();
  return x == 2 ? 0 : 1;
}
