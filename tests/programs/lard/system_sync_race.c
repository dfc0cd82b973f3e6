// Locks and atomics of the system order nothing in the program (LARD, Figure 1: a safepoint between two
// accesses that race).
// EXPECT: race
#include "../../../include/steward/lard.h"
#include "../support/in_order.h"

static pthread_mutex_t heap_lock = PTHREAD_MUTEX_INITIALIZER;
static int epoch;
ALONE int n;

static void safepoint(void) {
  steward_lard_system_begin();
  pthread_mutex_lock(&heap_lock);
  pthread_mutex_unlock(&heap_lock);
  __atomic_fetch_add(&epoch, 1, __ATOMIC_SEQ_CST);
  steward_lard_system_end();
}
static void first(void) {
  n = 1;  // RACE A
  safepoint();
}
static void second(void) {
  safepoint();
  n = 2;  // RACE B
}

int main(void) {
  in_order(first, second);
  return 0;
}
