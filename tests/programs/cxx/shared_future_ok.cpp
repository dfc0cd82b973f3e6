// Two threads wait for one shared future.
// EXPECT: none
#include <future>
#include <thread>

#include "../support/check.h"

int x;

int main() {
  std::promise<void> go;
  std::shared_future<void> started = go.get_future().share();
  auto wait = [started] {
    started.wait();
    CHECK(x == 1);
  };
  std::thread a(wait), b(wait);
  x = 1;
  go.set_value();
  a.join();
  b.join();
}
