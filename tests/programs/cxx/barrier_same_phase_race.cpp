// Write and read in the same phase of a std::barrier.
// EXPECT: race
// FLAGS: -std=c++20
#include <barrier>
#include <thread>

#include "../support/invisible.h"

ALONE int x;

int main() {
  std::barrier barrier(2);
  std::thread a([&barrier] {
    barrier.arrive_and_wait();
    x = 1;  // RACE A
    inv_post(1);
  });
  std::thread b([&barrier] {
    barrier.arrive_and_wait();
    inv_wait(1);
    keep(x);  // RACE B
  });
  a.join();
  b.join();
}
