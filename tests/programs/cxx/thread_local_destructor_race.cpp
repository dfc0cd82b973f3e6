// A thread-local object's destructor writes what the main thread reads before the join.
// EXPECT: race
#include <thread>

#include "../support/invisible.h"

ALONE int x;

struct AtEnd {
  int mine = 1;
  ~AtEnd() {
    x = mine;  // RACE A
    inv_post(1);
  }
};
thread_local AtEnd at_end;

int main() {
  std::thread thread([] { at_end.mine = 2; });
  inv_wait(1);
  keep(x);  // RACE B
  thread.join();
}
