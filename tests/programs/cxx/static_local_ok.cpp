// A static local is initialised by the first caller and found ready by the second.
// EXPECT: none
#include "../support/in_order.h"

struct Object {
  int value;
  Object() : value(static_cast<int>(opaque(42))) {}
};
static NOINLINE Object& get() {
  static Object object;
  return object;
}
static void use() { keep(get().value); }

int main() { in_order3(use, use, use); }
