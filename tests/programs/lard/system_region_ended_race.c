// A system region ends where it ends: the write after it is the program's.
// EXPECT: race
#include "../../../include/steward/lard.h"
#include "../support/in_order.h"

ALONE int header, field;

static void first(void) {
  steward_lard_system_begin();
  header = 1;
  steward_lard_system_end();
  field = 1;  // RACE A
}
static void second(void) {
  header = 2;
  field = 2;  // RACE B
}

int main(void) {
  in_order(first, second);
  return 0;
}
