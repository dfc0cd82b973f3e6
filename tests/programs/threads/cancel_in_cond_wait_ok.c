// A thread cancelled in a condition wait holds the mutex again while it cleans up.
// EXPECT: none
#include "../support/check.h"
#include "../support/in_order.h"

int x;
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t never = PTHREAD_COND_INITIALIZER;

static void clean(void* unused) {
  (void)unused;
  ++x;
  pthread_mutex_unlock(&mutex);
}
static void* thread(void* unused) {
  pthread_mutex_lock(&mutex);
  pthread_cleanup_push(clean, 0);
  inv_post(1);
  for (;;) pthread_cond_wait(&never, &mutex);
  pthread_cleanup_pop(0);
  return unused;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, thread, 0);
  inv_wait(1);
  pthread_mutex_lock(&mutex);
  ++x;
  pthread_mutex_unlock(&mutex);
  pthread_cancel(t);
  pthread_join(t, 0);
  CHECK(pthread_mutex_trylock(&mutex) == 0);
  return x == 2 ? 0 : 1;
}
