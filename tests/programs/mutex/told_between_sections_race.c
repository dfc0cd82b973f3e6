// Two sections of one thread under the same mutex; between them it tells another thread through a
// semaphore, which comes after the first section only.
// EXPECT: race
#include <semaphore.h>

#include "../support/in_order.h"

int x;
sem_t told;
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void* first(void* none) {
  pthread_mutex_lock(&mutex);
  x = 1;
  pthread_mutex_unlock(&mutex);
  sem_post(&told);
  inv_wait(1);
  pthread_mutex_lock(&mutex);
  x = 2;  // RACE A
  pthread_mutex_unlock(&mutex);
  inv_post(2);
  return none;
}
static void* second(void* none) {
  sem_wait(&told);
  inv_post(1);
  inv_wait(2);
  x = 3;  // RACE B
  return none;
}

int main(void) {
  two_threads(first, second);
  return 0;
}
