// A write barrier is the system's, but for the one store it makes for the program.
// EXPECT: race
#include "../../../include/steward/lard.h"
#include "../support/in_order.h"

ALONE int card;
ALONE long field;

static void first(void) {
  steward_lard_system_begin();
  card = 1;
  steward_lard_write(&field, sizeof field);  // RACE A
  field = 1;
  steward_lard_system_end();
}
static void second(void) {
  steward_lard_system_begin();
  card = 2;
  steward_lard_system_end();
  steward_lard_read(&field, sizeof field);  // RACE B
}

int main(void) {
  in_order(first, second);
  return 0;
}
