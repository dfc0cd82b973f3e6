// Both threads hold the lock for reading at the same time, and both write.
// EXPECT: race
#include "../support/in_order.h"

int x;
pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

static void* first(void* unused) {
  pthread_rwlock_rdlock(&lock);
  inv_wait(1);
  x = 1;  // RACE A
  inv_post(2);
  inv_wait(3);
  pthread_rwlock_unlock(&lock);
  return unused;
}
static void* second(void* unused) {
  pthread_rwlock_rdlock(&lock);
  inv_post(1);
  inv_wait(2);
  x = 2;  // RACE B
  pthread_rwlock_unlock(&lock);
  inv_post(3);
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
