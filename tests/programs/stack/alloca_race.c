// Memory from alloca is shared with a thread.
// EXPECT: race
#include <alloca.h>

#include "../support/in_order.h"

static void* thread(void* local) {
  ((long*)local)[9] = 1;  // RACE A
  inv_post(1);
  return 0;
}

int main(void) {
  long* local = (long*)opaque_pointer(alloca((size_t)opaque(160)));
  pthread_t t;
  pthread_create(&t, 0, thread, local);
  inv_wait(1);
  local[9] = 2;  // RACE B
  pthread_join(t, 0);
  return 0;
}
