// Two readers each write to memory of their own.
// EXPECT: none
#include "../support/in_order.h"

int shared = 1, a, b;
pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

static void first(void) {
  pthread_rwlock_rdlock(&lock);
  a = shared;
  pthread_rwlock_unlock(&lock);
}
static void second(void) {
  pthread_rwlock_rdlock(&lock);
  b = shared;
  pthread_rwlock_unlock(&lock);
}

int main(void) {
  in_order(first, second);
  return 0;
}
