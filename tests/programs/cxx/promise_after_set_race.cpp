// What is written after the promise was kept is not ordered by it.
// EXPECT: race
#include <future>
#include <thread>

#include "../support/invisible.h"

ALONE int x;

int main() {
  std::promise<void> promise;
  std::thread keeper([&promise] {
    promise.set_value();
    x = 1;  // RACE A
    inv_post(1);
  });
  promise.get_future().get();
  inv_wait(1);
  keep(x);  // RACE B
  keeper.join();
}
