// The same with a thread that is created detached.
// EXPECT: race
#include "../support/in_order.h"

int x, tid;

static void* thread(void* unused) {
  __atomic_store_n(&tid, inv_tid(), __ATOMIC_RELAXED);
  x = 1;  // RACE A
  inv_post(1);
  return unused;
}

int main(void) {
  pthread_t t;
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  pthread_create(&t, &attributes, thread, 0);
  pthread_attr_destroy(&attributes);
  inv_wait(1);
  inv_wait_gone(__atomic_load_n(&tid, __ATOMIC_RELAXED));
  x = 2;  // RACE B
  return 0;
}
