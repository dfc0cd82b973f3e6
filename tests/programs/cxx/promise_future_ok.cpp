// A promise is kept in one thread and taken in another.
// EXPECT: none
#include <future>
#include <string>
#include <thread>

#include "../support/check.h"

int side;

int main() {
  std::promise<std::string> promise;
  std::future<std::string> future = promise.get_future();
  std::thread keeper([&promise] {
    side = 1;
    promise.set_value("a value long enough to live on the heap");
  });
  CHECK(future.get() == "a value long enough to live on the heap");
  side = 2;
  keeper.join();
}
