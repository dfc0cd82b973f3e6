// Between two sections under a mutex a thread writes what another writes under the mutex, but after
// the first section only.
// EXPECT: race
#include "../support/in_order.h"

int x;
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void* first(void* none) {
  pthread_mutex_lock(&mutex);
  pthread_mutex_unlock(&mutex);
  pthread_mutex_lock(&mutex);
  pthread_mutex_unlock(&mutex);
  x = 1;  // RACE A
  inv_post(1);
  return none;
}
static void* second(void* none) {
  inv_wait(1);
  pthread_mutex_lock(&mutex);
  x = 2;  // RACE B
  pthread_mutex_unlock(&mutex);
  return none;
}

int main(void) {
  two_threads(first, second);
  return 0;
}
