// Many sections of one thread, with accesses of its own in between, then another thread's.
// EXPECT: none
#include "../support/in_order.h"

int x, own, other;
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void* first(void* none) {
  for (int i = 0; i < 100; ++i) {
    pthread_mutex_lock(&mutex);
    ++x;
    ++other;
    pthread_mutex_unlock(&mutex);
    ++own;
    pthread_mutex_lock(&mutex);
    --x;
    pthread_mutex_unlock(&mutex);
  }
  inv_post(1);
  return none;
}
static void* second(void* none) {
  inv_wait(1);
  pthread_mutex_lock(&mutex);
  ++x;
  keep(own);  // it comes before a section of its thread
  ++other;
  pthread_mutex_unlock(&mutex);
  return none;
}

int main(void) {
  two_threads(first, second);
  return 0;
}
