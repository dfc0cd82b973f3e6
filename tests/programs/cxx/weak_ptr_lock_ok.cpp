// A weak pointer is turned into an owner in another thread.
// EXPECT: none
#include <memory>

#include "../support/in_order.h"

struct Object {
  int value = 1;
  ~Object() { value = -1; }
};
std::shared_ptr<Object> owner;
std::weak_ptr<Object> weak;

static void first() {
  if (auto locked = weak.lock()) keep(locked->value);
}
static void second() { owner.reset(); }
static void third() { keep(weak.expired()); }

int main() {
  owner = std::make_shared<Object>();
  weak = owner;
  in_order3(first, second, third);
}
