// cnd_wait gives the mutex up and takes it again.
// EXPECT: none
#include <threads.h>

#include "../support/in_order.h"

int data, ready;
mtx_t mutex;
cnd_t changed;

static void* waiter(void* unused) {
  mtx_lock(&mutex);
  data = 1;
  inv_post(1);
  while (!ready) cnd_wait(&changed, &mutex);
  keep(data);
  mtx_unlock(&mutex);
  return unused;
}
static void* signaller(void* unused) {
  inv_wait(1);
  mtx_lock(&mutex);
  data += 1;
  ready = 1;
  cnd_signal(&changed);
  mtx_unlock(&mutex);
  return unused;
}

int main(void) {
  pthread_t a, b;
  mtx_init(&mutex, mtx_plain);
  cnd_init(&changed);
  pthread_create(&a, 0, waiter, 0);
  pthread_create(&b, 0, signaller, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  cnd_destroy(&changed);
  return 0;
}
