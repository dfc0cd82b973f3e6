// Two threads have read a word, in no order; one of them lets a lock go and reads it again. Who
// comes after that lock comes after the first of its reads, not the second.
// EXPECT: race
#include <pthread.h>

#include "../support/in_order.h"

long x ALONE;
pthread_mutex_t of_reader = PTHREAD_MUTEX_INITIALIZER, of_other = PTHREAD_MUTEX_INITIALIZER;

static void pass(pthread_mutex_t* lock) {
  pthread_mutex_lock(lock);
  pthread_mutex_unlock(lock);
}
static void* other(void* unused) {
  keep((int)x);
  pass(&of_other);
  inv_post(1);
  return unused;
}
static void* writer(void* unused) {
  inv_wait(2);
  pass(&of_other);
  pass(&of_reader);
  x = 2;  // RACE B
  return unused;
}

int main(void) {
  pthread_t threads[2];
  x = 1;
  pthread_create(&threads[0], NULL, other, NULL);
  pthread_create(&threads[1], NULL, writer, NULL);
  inv_wait(1);
  for (int i = 0; i < 3; ++i) {
    keep((int)x);
    inv_yield();
  }
  pass(&of_reader);
  for (int i = 0; i < 3; ++i) {
    keep((int)x);  // RACE A
    inv_yield();
  }
  inv_post(2);
  pthread_join(threads[0], NULL);
  pthread_join(threads[1], NULL);
  return 0;
}
