// An object is deleted while another thread wrote to it.
// EXPECT: race
#include "../support/in_order.h"

struct Object {
  long values[4];
};
Object* object;

static void first() { object->values[1] = 1; }  // RACE A
static void second() { delete object; }         // RACE B

int main() {
  object = new Object();
  in_order(first, second);
}
