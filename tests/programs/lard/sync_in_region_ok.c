// Synchronisation that the system announces is the program's, inside a region too.
// EXPECT: none
#include "../../../include/steward/lard.h"
#include "../support/in_order.h"

ALONE int monitor, field;

static void first(void) {
  field = 1;
  steward_lard_system_begin();
  steward_lard_release(&monitor);
  steward_lard_system_end();
}
static void second(void) {
  steward_lard_system_begin();
  steward_lard_acquire(&monitor);
  steward_lard_system_end();
  field = 2;
}

int main(void) {
  in_order(first, second);
  return 0;
}
