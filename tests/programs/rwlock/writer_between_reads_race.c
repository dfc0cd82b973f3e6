// Two read sections of one thread; between them a writer comes after the first one only.
// EXPECT: race
#include "../support/in_order.h"

int x;
pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

static void* first(void* none) {
  pthread_rwlock_rdlock(&lock);
  keep(x);
  pthread_rwlock_unlock(&lock);
  inv_post(1);
  inv_wait(2);
  pthread_rwlock_rdlock(&lock);
  keep(x);  // RACE A
  pthread_rwlock_unlock(&lock);
  inv_post(3);
  return none;
}
static void* second(void* none) {
  inv_wait(1);
  pthread_rwlock_wrlock(&lock);
  pthread_rwlock_unlock(&lock);
  inv_post(2);
  inv_wait(3);
  x = 1;  // RACE B
  return none;
}

int main(void) {
  two_threads(first, second);
  return 0;
}
