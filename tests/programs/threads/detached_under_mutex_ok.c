// A detached thread hands its result over under a mutex.
// EXPECT: none
#include "../support/in_order.h"

int x;
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void* thread(void* unused) {
  pthread_detach(pthread_self());
  pthread_mutex_lock(&mutex);
  x = 1;
  pthread_mutex_unlock(&mutex);
  inv_post(1);
  return unused;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, thread, 0);
  inv_wait(1);
  pthread_mutex_lock(&mutex);
  keep(x);
  pthread_mutex_unlock(&mutex);
  return 0;
}
