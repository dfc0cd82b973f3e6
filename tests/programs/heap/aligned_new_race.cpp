// Two threads store to an object from aligned new.
// EXPECT: race
#include "../support/in_order.h"

struct alignas(128) Object {
  int value;
};
Object* object;

static void first() { object->value = 1; }   // RACE A
static void second() { object->value = 2; }  // RACE B

int main() {
  object = new Object();
  in_order(first, second);
  delete object;
}
