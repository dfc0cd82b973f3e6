// Virtual calls in two threads on an object that both find whole.
// EXPECT: none
#include <memory>

#include "../support/in_order.h"

struct Base {
  virtual ~Base() = default;
  virtual void act() { keep(1); }
};
struct Derived : Base {
  void act() override { keep(2); }
};
std::unique_ptr<Base> object;

static void use() { static_cast<Base*>(opaque_pointer(object.get()))->act(); }

int main() {
  object = std::make_unique<Derived>();
  in_order(use, use);
  object.reset();
}
