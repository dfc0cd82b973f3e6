// The reader's critical section comes first: it cannot order the write after it.
// EXPECT: race
#include "../support/in_order.h"

int x;
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void* first(void* unused) {
  inv_wait(1);
  x = 1;  // RACE A
  pthread_mutex_lock(&mutex);
  pthread_mutex_unlock(&mutex);
  inv_post(2);
  return unused;
}
static void* second(void* unused) {
  pthread_mutex_lock(&mutex);
  pthread_mutex_unlock(&mutex);
  inv_post(1);
  inv_wait(2);
  keep(x);  // RACE B
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
