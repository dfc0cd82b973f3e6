// A spin trylock that fails acquires nothing.
// EXPECT: race
#include <errno.h>

#include "../support/check.h"
#include "../support/in_order.h"

ALONE int x;
ALONE pthread_spinlock_t lock;

static void* first(void* unused) {
  pthread_spin_lock(&lock);
  x = 1;  // RACE A
  inv_post(1);
  inv_wait(2);
  pthread_spin_unlock(&lock);
  return unused;
}
static void* second(void* unused) {
  inv_wait(1);
  CHECK(pthread_spin_trylock(&lock) == EBUSY);
  keep(x);  // RACE B
  inv_post(2);
  return unused;
}

int main(void) {
  pthread_spin_init(&lock, PTHREAD_PROCESS_PRIVATE);
  pthread_t a, b;
  pthread_create(&a, 0, first, 0);
  pthread_create(&b, 0, second, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
