// What a system region does to memory is not the program's: no race, nested or not.
// EXPECT: none
#include "../../../include/steward/lard.h"
#include "../support/in_order.h"

ALONE int header;

static void first(void) {
  steward_lard_system_begin();
  steward_lard_system_begin();
  header = 1;
  steward_lard_system_end();
  header = 2;
  steward_lard_system_end();
}
static void second(void) { header = 3; }

int main(void) {
  in_order(first, second);
  return 0;
}
