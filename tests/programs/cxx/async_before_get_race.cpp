// The creator reads before it has called get.
// EXPECT: race
#include <future>

#include "../support/invisible.h"

ALONE int x;

static int work() {
  x = 1;  // RACE A
  inv_post(1);
  return 1;
}

int main() {
  std::future<int> result = std::async(std::launch::async, work);
  inv_wait(1);
  keep(x);  // RACE B
  return result.get() == 1 ? 0 : 1;
}
