// The mutex handed over at a signal orders the data.
// EXPECT: none
#include "../support/in_order.h"

int data, ready;
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t changed = PTHREAD_COND_INITIALIZER;

static void* waiter(void* unused) {
  pthread_mutex_lock(&mutex);
  inv_post(1);
  while (!ready) pthread_cond_wait(&changed, &mutex);
  keep(data);
  pthread_mutex_unlock(&mutex);
  return unused;
}
static void* signaller(void* unused) {
  inv_wait(1);
  pthread_mutex_lock(&mutex);
  data = 42;
  ready = 1;
  pthread_cond_signal(&changed);
  pthread_mutex_unlock(&mutex);
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, waiter, 0);
  pthread_create(&b, 0, signaller, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
