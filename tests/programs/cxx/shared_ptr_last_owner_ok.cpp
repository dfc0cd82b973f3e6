// Two owners use the object and let go; the last one destroys it, ordered after the other.
// EXPECT: none
#include <memory>

#include "../support/in_order.h"

struct Object {
  int value = 1;
  ~Object() { value = -1; }
};
std::shared_ptr<Object> a, b;

static void first() {
  a->value += 1;
  a.reset();
}
static void second() { b.reset(); }

int main() {
  a = b = std::make_shared<Object>();
  in_order(first, second);
}
