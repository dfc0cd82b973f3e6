// A thread writes under the lock, then reads twice; a reader in between comes after the write, not
// after the second read.
// EXPECT: race
#include "../support/in_order.h"

int x, y;
pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

static void* first(void* none) {
  pthread_rwlock_wrlock(&lock);
  x = 1;
  pthread_rwlock_unlock(&lock);
  pthread_rwlock_rdlock(&lock);
  keep(x);
  pthread_rwlock_unlock(&lock);
  inv_post(1);
  inv_wait(2);
  pthread_rwlock_rdlock(&lock);
  keep(y);  // RACE A
  pthread_rwlock_unlock(&lock);
  inv_post(3);
  return none;
}
static void* second(void* none) {
  inv_wait(1);
  pthread_rwlock_rdlock(&lock);
  pthread_rwlock_unlock(&lock);
  inv_post(2);
  inv_wait(3);
  y = 1;  // RACE B
  return none;
}

int main(void) {
  two_threads(first, second);
  return 0;
}
