// Who has only counted down, without waiting, is not ordered after the others.
// EXPECT: race
// FLAGS: -std=c++20
#include <latch>
#include <thread>

#include "../support/invisible.h"

ALONE int x;

int main() {
  std::latch done(3);
  std::thread a([&done] {
    inv_wait(1);
    x = 1;  // RACE A
    done.count_down();
    inv_post(2);
  });
  std::thread b([&done] {
    done.count_down();
    inv_post(1);
    inv_wait(2);
    keep(x);  // RACE B
  });
  done.arrive_and_wait();
  a.join();
  b.join();
}
