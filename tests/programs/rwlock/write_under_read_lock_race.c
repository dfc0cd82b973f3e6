// Both threads hold the lock for reading, one after the other, and one of them writes.
// EXPECT: race
#include "../support/in_order.h"

int x;
pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

static void first(void) {
  pthread_rwlock_rdlock(&lock);
  x = 1;  // RACE A
  pthread_rwlock_unlock(&lock);
}
static void second(void) {
  pthread_rwlock_rdlock(&lock);
  keep(x);  // RACE B
  pthread_rwlock_unlock(&lock);
}

int main(void) {
  in_order(first, second);
  return 0;
}
