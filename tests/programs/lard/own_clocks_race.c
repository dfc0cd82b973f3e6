// What was done after the copy of the clock is not covered by it.
// EXPECT: race
#include <stdint.h>

#include "../../../include/steward/lard.h"
#include "../support/in_order.h"

static uint64_t lock_clock[64];
ALONE int field, late;

INV_HIDDEN static void release_lock(void) {
  for (uint32_t i = 0; i < steward_lard_clock_size(); ++i) lock_clock[i] = steward_lard_read_vc(i);
  const uint32_t self = steward_lard_clock_self();
  steward_lard_write_vc(self, steward_lard_read_vc(self) + 1);
}
INV_HIDDEN static void acquire_lock(void) {
  for (uint32_t i = 0; i < 64; ++i) {
    if (lock_clock[i] > steward_lard_read_vc(i)) steward_lard_write_vc(i, lock_clock[i]);
  }
}
static void first(void) {
  field = 1;
  release_lock();
  late = 1;  // RACE A
}
static void second(void) {
  acquire_lock();
  field = 2;
  late = 2;  // RACE B
}

int main(void) {
  in_order(first, second);
  return 0;
}
