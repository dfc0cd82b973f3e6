// The owner of a robust mutex ends with it held; the next owner gets it and is ordered after.
// EXPECT: none
#include <errno.h>

#include "../support/check.h"
#include "../support/in_order.h"

ALONE int x;
ALONE pthread_mutex_t mutex;

static void* first(void* unused) {
  pthread_mutex_lock(&mutex);
  x = 1;
  inv_post(1);
  return unused;
}
static void* second(void* unused) {
  inv_wait(1);
  CHECK(pthread_mutex_lock(&mutex) == EOWNERDEAD);
  CHECK(pthread_mutex_consistent(&mutex) == 0);
  ++x;
  pthread_mutex_unlock(&mutex);
  return unused;
}

int main(void) {
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
  pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
  pthread_mutex_init(&mutex, &attributes);
  pthread_t a, b;
  pthread_create(&a, 0, first, 0);
  pthread_create(&b, 0, second, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
