// cnd_broadcast wakes two waiters, C11 threads themselves.
// EXPECT: none
#include <threads.h>

#include "../support/invisible.h"

int data, ready;
mtx_t mutex;
cnd_t changed;

static int waiter(void* unused) {
  (void)unused;
  mtx_lock(&mutex);
  inv_arrive();
  while (!ready) cnd_wait(&changed, &mutex);
  ++data;
  mtx_unlock(&mutex);
  return 0;
}

int main(void) {
  thrd_t a, b;
  mtx_init(&mutex, mtx_plain);
  cnd_init(&changed);
  thrd_create(&a, waiter, 0);
  thrd_create(&b, waiter, 0);
  inv_wait(2);
  mtx_lock(&mutex);
  data = 1;
  ready = 1;
  mtx_unlock(&mutex);
  cnd_broadcast(&changed);
  thrd_join(a, 0);
  thrd_join(b, 0);
  return data == 3 ? 0 : 1;
}
