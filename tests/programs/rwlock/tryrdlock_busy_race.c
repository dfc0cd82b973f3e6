// A try that finds a writer inside acquires nothing.
// EXPECT: race
#include <errno.h>

#include "../support/check.h"
#include "../support/in_order.h"

ALONE int x;
ALONE pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

static void* first(void* unused) {
  pthread_rwlock_wrlock(&lock);
  x = 1;  // RACE A
  inv_post(1);
  inv_wait(2);
  pthread_rwlock_unlock(&lock);
  return unused;
}
static void* second(void* unused) {
  inv_wait(1);
  CHECK(pthread_rwlock_tryrdlock(&lock) == EBUSY);
  CHECK(pthread_rwlock_trywrlock(&lock) == EBUSY);
  keep(x);  // RACE B
  inv_post(2);
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, first, 0);
  pthread_create(&b, 0, second, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
