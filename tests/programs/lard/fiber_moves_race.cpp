// A green thread that moves to the kernel thread of another still races with it.
// EXPECT: race
// FLAGS: -lboost_context
#include "green_threads.h"

#include "../support/in_order.h"

ALONE int x;
static GreenThread *one, *two;

NOINLINE static void write_one(GreenThread& self) {
  self.yield();
  x = 1;  // RACE A
  self.yield();
}
NOINLINE static void write_two(GreenThread& self) {
  self.yield();
  x = 2;  // RACE B
  self.yield();
}
static void begin() {
  one->run();
  two->run();
}
static void elsewhere() {
  one->run();
  two->run();
}

int main() {
  GreenThread a("a", [](GreenThread& self) { write_one(self); });
  GreenThread b("b", [](GreenThread& self) { write_two(self); });
  one = &a;
  two = &b;
  in_order(begin, elsewhere);
  a.run();
  b.run();
  return 0;
}
