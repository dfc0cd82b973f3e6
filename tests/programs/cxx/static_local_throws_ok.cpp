// An initialisation that throws is tried again by the next caller.
// EXPECT: none
#include "../support/in_order.h"

int tries;

struct Object {
  Object() {
    if (++tries == 1) throw 1;
  }
};
static NOINLINE Object& get() {
  static Object object;
  return object;
}
static void use() {
  try {
    keep_address(&get());
  } catch (int) {
    keep(0);
  }
}

int main() {
  in_order3(use, use, use);
  return tries == 2 ? 0 : 1;
}
