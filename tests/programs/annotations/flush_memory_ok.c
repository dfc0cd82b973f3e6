// __tsan_flush_memory may forget, but it must not make up anything.
// EXPECT: none
#include "../support/annotations.h"
#include "../support/in_order.h"

int x;
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void update(void) {
  pthread_mutex_lock(&mutex);
  ++x;
  pthread_mutex_unlock(&mutex);
  if (__tsan_flush_memory) __tsan_flush_memory();
  pthread_mutex_lock(&mutex);
  ++x;
  pthread_mutex_unlock(&mutex);
}

int main(void) {
  in_order(update, update);
  return x == 4 ? 0 : 1;
}
