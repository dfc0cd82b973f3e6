// pthread_rwlock_trywrlock and pthread_rwlock_tryrdlock that succeed are locks.
// EXPECT: none
#include "../support/check.h"
#include "../support/in_order.h"

int x;
pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

static void write_it(void) {
  CHECK(pthread_rwlock_trywrlock(&lock) == 0);
  ++x;
  pthread_rwlock_unlock(&lock);
}
static void read_it(void) {
  CHECK(pthread_rwlock_tryrdlock(&lock) == 0);
  keep(x);
  pthread_rwlock_unlock(&lock);
}

int main(void) {
  in_order3(write_it, read_it, write_it);
  return 0;
}
