// Its initialisation is ordered; what is stored to a static local later is not.
// EXPECT: race
#include "../support/in_order.h"

struct Object {
  int value;
  Object() : value(static_cast<int>(opaque(42))) {}
};
static NOINLINE Object& get() {
  static Object object;
  return object;
}
static void first() { get().value = 1; }     // RACE A
static void second() { keep(get().value); }  // RACE B

int main() { in_order(first, second); }
