// Two spin locks side by side in one word are two locks.
// EXPECT: race
#include "../support/in_order.h"

ALONE int x;
ALONE pthread_spinlock_t locks[2];

static void first(void) {
  pthread_spin_lock(&locks[0]);
  x = 1;  // RACE A
  pthread_spin_unlock(&locks[0]);
}
static void second(void) {
  pthread_spin_lock(&locks[1]);
  x = 2;  // RACE B
  pthread_spin_unlock(&locks[1]);
}

int main(void) {
  pthread_spin_init(&locks[0], PTHREAD_PROCESS_PRIVATE);
  pthread_spin_init(&locks[1], PTHREAD_PROCESS_PRIVATE);
  in_order(first, second);
  return 0;
}
