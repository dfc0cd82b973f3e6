// A void function with a frame is left by a jump: the frame of its caller stays.
// EXPECT: race
#include "../support/elsewhere.h"
#include "../support/in_order.h"

ALONE int x;

NOINLINE static void add_one(int* p) { p[0] += (int)opaque(1); }
NOINLINE static void leave_by_jump(long n) {
  int local[40];
  for (int i = 0; i < 40; ++i) local[i] = (int)n;
  keep_address(local);
  add_one(&local[n]);
}

static void first(void) { store_elsewhere_after(leave_by_jump, &x); }   // RACE A
static void second(void) { store_elsewhere_after(leave_by_jump, &x); }  // RACE B

int main(void) {
  in_order(first, second);
  return 0;
}
