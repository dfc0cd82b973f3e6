// The destructor of a C11 thread-specific object writes what another thread reads.
// EXPECT: race
#include <threads.h>

#include "../support/in_order.h"

int x;
tss_t key;

static void destroy(void* value) {
  *(int*)value = 1;  // RACE A
  inv_post(1);
}
static void* thread(void* unused) {
  tss_set(key, &x);
  return unused;
}

int main(void) {
  pthread_t t;
  tss_create(&key, destroy);
  pthread_create(&t, 0, thread, 0);
  inv_wait(1);
  keep(x);  // RACE B
  pthread_join(t, 0);
  return 0;
}
