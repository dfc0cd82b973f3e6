// A detached thread is never joined: nothing orders its end with anybody.
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
  pthread_create(&t, 0, thread, 0);
  pthread_detach(t);
  inv_wait(1);
  inv_wait_gone(__atomic_load_n(&tid, __ATOMIC_RELAXED));
  keep(x);  // RACE B
  return 0;
}
