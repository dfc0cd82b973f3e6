// A timed wait that is woken in time.
// EXPECT: none
#include <time.h>

#include "../support/check.h"
#include "../support/in_order.h"

int data, ready;
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t changed = PTHREAD_COND_INITIALIZER;

static void* waiter(void* unused) {
  struct timespec later = {time(0) + 1000, 0};
  pthread_mutex_lock(&mutex);
  inv_post(1);
  while (!ready) CHECK(pthread_cond_timedwait(&changed, &mutex, &later) == 0);
  keep(data);
  pthread_mutex_unlock(&mutex);
  return unused;
}

int main(void) {
  pthread_t a;
  pthread_create(&a, 0, waiter, 0);
  inv_wait(1);
  pthread_mutex_lock(&mutex);
  data = 42;
  ready = 1;
  pthread_cond_signal(&changed);
  pthread_mutex_unlock(&mutex);
  pthread_join(a, 0);
  return 0;
}
