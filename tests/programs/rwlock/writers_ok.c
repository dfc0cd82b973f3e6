// Two writers exclude and order each other.
// EXPECT: none
#include "../support/in_order.h"

int x;
pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

static void update(void) {
  pthread_rwlock_wrlock(&lock);
  ++x;
  pthread_rwlock_unlock(&lock);
}

int main(void) {
  in_order(update, update);
  return 0;
}
