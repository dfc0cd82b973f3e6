// Two green threads on one kernel thread race, though the kernel thread runs one after the other.
// EXPECT: race
// FLAGS: -lboost_context
#include "green_threads.h"

ALONE int x;

NOINLINE static void first(GreenThread& self) {
  x = 1;  // RACE A
  self.yield();
}
NOINLINE static void second(GreenThread& self) {
  x = 2;  // RACE B
  self.yield();
}

int main() {
  GreenThread a("a", [](GreenThread& self) { first(self); });
  GreenThread b("b", [](GreenThread& self) { second(self); });
  a.run();
  b.run();
  a.run();
  b.run();
  return 0;
}
