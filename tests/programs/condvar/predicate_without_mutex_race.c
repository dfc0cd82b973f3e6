// The predicate is set without the mutex.
// EXPECT: race
#include "../support/in_order.h"

int ready;
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t changed = PTHREAD_COND_INITIALIZER;

static void signaller(void) {
  ready = 1;  // RACE A
  pthread_cond_signal(&changed);
}
static void waiter(void) {
  pthread_mutex_lock(&mutex);
  while (!ready) {  // RACE B
    pthread_cond_wait(&changed, &mutex);
  }
  pthread_mutex_unlock(&mutex);
}

int main(void) {
  in_order(signaller, waiter);
  return 0;
}
