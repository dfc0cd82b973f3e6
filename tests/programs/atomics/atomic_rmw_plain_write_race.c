// An atomic increment races with a plain store.
// EXPECT: race
#include "../support/in_order.h"

int x;

static void first(void) { __atomic_fetch_add(&x, 1, __ATOMIC_RELAXED); }  // RACE A
static void second(void) { x = 0; }                                       // RACE B

int main(void) {
  in_order(first, second);
  return 0;
}
