// A write under a read lock is ordered with the next writer, but not with the next reader.
// EXPECT: race
#include "../support/in_order.h"

int x;
pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

static void write_it(void) {
  pthread_rwlock_wrlock(&lock);
  x = 1;
  pthread_rwlock_unlock(&lock);
}
static void writes_as_reader(void) {
  pthread_rwlock_rdlock(&lock);
  x = 2;  // RACE A
  pthread_rwlock_unlock(&lock);
}
static void read_it(void) {
  pthread_rwlock_rdlock(&lock);
  keep(x);  // RACE B
  pthread_rwlock_unlock(&lock);
}

int main(void) {
  in_order4(write_it, writes_as_reader, read_it, write_it);
  return 0;
}
