// The second thread really blocks in the lock until the first gives it up.
// EXPECT: none
#include "../support/in_order.h"

int x;
int second_tid;
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void* first(void* unused) {
  pthread_mutex_lock(&mutex);
  inv_post(1);
  inv_wait(2);
  inv_wait_blocked(__atomic_load_n(&second_tid, __ATOMIC_RELAXED));
  x = 1;
  pthread_mutex_unlock(&mutex);
  return unused;
}
static void* second(void* unused) {
  inv_wait(1);
  __atomic_store_n(&second_tid, inv_tid(), __ATOMIC_RELAXED);
  inv_post(2);
  pthread_mutex_lock(&mutex);
  keep(x);
  pthread_mutex_unlock(&mutex);
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, first, 0);
  pthread_create(&b, 0, second, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
