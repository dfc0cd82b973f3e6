// The main thread writes to its own local while a thread has a pointer to it.
// EXPECT: race
#include "../support/in_order.h"

static void* thread(void* local) {
  inv_wait(1);
  keep(*(int*)local);  // RACE B
  return 0;
}

int main(void) {
  int local = 0;
  pthread_t t;
  pthread_create(&t, 0, thread, &local);
  local = (int)opaque(1);  // RACE A
  inv_post(1);
  pthread_join(t, 0);
  return local == 1 ? 0 : 1;
}
