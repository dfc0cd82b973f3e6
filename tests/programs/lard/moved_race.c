// An object moves between two accesses that race (LARD, Figure 1): both are named, each where it was.
// EXPECT: race
#include "../../../include/steward/lard.h"
#include "../support/in_order.h"

struct Object {
  long n;
  long other;
};
ALONE struct Object space[3];
struct Object* object = &space[0];

INV_HIDDEN static void collect(void) {
  steward_lard_system_begin();
  struct Object* to = object + 1;
  *to = *object;
  steward_lard_copy_history(object, to, sizeof *to);
  steward_lard_clear_history(object, sizeof *object);
  object = to;
  steward_lard_system_end();
}
INV_HIDDEN static struct Object* get(void) { return object; }

static void first(void) {
  get()->n = 1;  // RACE A
}
static void second(void) {
  collect();
  collect();
}
static void third(void) {
  get()->n = 2;  // RACE B
}

int main(void) {
  in_order3(first, second, third);
  return 0;
}
