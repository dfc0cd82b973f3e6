// The signal comes before anybody waits; the predicate keeps the waiter from waiting.
// EXPECT: none
#include "../support/in_order.h"

int data, ready;
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t changed = PTHREAD_COND_INITIALIZER;

static void signaller(void) {
  pthread_mutex_lock(&mutex);
  data = 42;
  ready = 1;
  pthread_cond_signal(&changed);
  pthread_mutex_unlock(&mutex);
}
static void waiter(void) {
  pthread_mutex_lock(&mutex);
  while (!ready) pthread_cond_wait(&changed, &mutex);
  keep(data);
  pthread_mutex_unlock(&mutex);
}

int main(void) {
  in_order(signaller, waiter);
  return 0;
}
