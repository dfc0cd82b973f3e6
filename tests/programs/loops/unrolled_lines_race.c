// Fields side by side, each written on a line of its own: the report names the one that races.
// EXPECT: race
#include "../support/in_order.h"

struct Fields {
  long a, b, c, d, e, f, g, h, i;
} fields;

static void first(void) {
  const long v = opaque(1);
  fields.a = v;
  fields.b = v * v;
  fields.c = v + 3;
  fields.d = v * 5;
  fields.e = v - 7;
  fields.f = v * 11;  // RACE A
  fields.g = v + 13;
  fields.h = v * 17;
  fields.i = v - 19;
}
static void second(void) {
  keep((int)fields.f);  // RACE B
}

int main(void) {
  in_order(first, second);
  return 0;
}
