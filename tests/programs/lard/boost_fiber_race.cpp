// Two fibers race, on whichever kernel threads a work-stealing scheduler runs them.
// EXPECT: race
// FLAGS: -lboost_fiber -lboost_context
#include "boost_fibers.h"

ALONE long x;

NOINLINE static void add() {
  for (int i = 0; i < 10; ++i) boost::this_fiber::yield();
  x += 1;  // RACE A|B
  for (int i = 0; i < 10; ++i) boost::this_fiber::yield();
}

int main() {
  on_two_threads([] {
    Fiber a([] { add(); });
    Fiber b([] { add(); });
    a.join();
    b.join();
  });
  return 0;
}
