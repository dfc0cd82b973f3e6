// An object is published through a plain pointer: the pointer and the object race.
// EXPECT: race 2
#include "../support/in_order.h"

ALONE int object;
ALONE int* published;

static void first(void) {
  object = 42;          // RACE C
  published = &object;  // RACE A
}
static void second(void) {
  int* p = published;  // RACE B
  keep(*p);            // RACE D
}

int main(void) {
  in_order(first, second);
  return 0;
}
