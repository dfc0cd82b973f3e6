// A virtual call while the object is being destroyed, when its table changes.
// EXPECT: race
#include <new>

#include "../support/in_order.h"

struct Base;
static NOINLINE void call(Base* base);

struct Base {
  virtual void act() { keep(1); }
  virtual ~Base() { call(this); }  // RACE B
};
struct Derived : Base {
  void act() override { keep(2); }
  ~Derived() override { call(this); }  // RACE B
};
static NOINLINE void call(Base* base) { static_cast<Base*>(opaque_pointer(base))->act(); }

ALONE alignas(Derived) char memory[sizeof(Derived)];
Derived* object;

static void first() {
  static_cast<Base*>(opaque_pointer(object))->act();  // RACE A
}
static void second() { object->~Derived(); }

int main() {
  object = new (memory) Derived;
  in_order(first, second);
}
