// A lambda captures a local by reference and stores to it while its owner reads it.
// EXPECT: race
#include <thread>

#include "../support/invisible.h"

int main() {
  int local = 0;
  std::thread thread([&local] {
    local = 1;  // RACE A
    inv_post(1);
  });
  inv_wait(1);
  keep(local);  // RACE B
  thread.join();
}
