// A job's result is read as soon as it is there, without waiting for the worker.
// EXPECT: race
#include "../support/in_order.h"

int job = 6, result;
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void* worker(void* unused) {
  pthread_mutex_lock(&mutex);
  int mine = job;
  pthread_mutex_unlock(&mutex);
  result = mine * mine;  // RACE A
  inv_post(1);
  return unused;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, worker, 0);
  inv_wait(1);
  pthread_mutex_lock(&mutex);
  keep(result);  // RACE B
  pthread_mutex_unlock(&mutex);
  pthread_join(t, 0);
  return 0;
}
