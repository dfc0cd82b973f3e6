// Readers are ordered after the writer before them.
// EXPECT: none
#include "../support/in_order.h"

int x;
pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

static void write_it(void) {
  pthread_rwlock_wrlock(&lock);
  x = 1;
  pthread_rwlock_unlock(&lock);
}
static void read_it(void) {
  pthread_rwlock_rdlock(&lock);
  keep(x);
  pthread_rwlock_unlock(&lock);
}

int main(void) {
  in_order3(write_it, read_it, read_it);
  return 0;
}
