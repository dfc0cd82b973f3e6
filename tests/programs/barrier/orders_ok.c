// What is written before a barrier is read after it.
// EXPECT: none
#include "../support/in_order.h"

int a, b;
pthread_barrier_t barrier;

static void* first(void* unused) {
  a = 1;
  pthread_barrier_wait(&barrier);
  keep(b);
  return unused;
}
static void* second(void* unused) {
  b = 2;
  pthread_barrier_wait(&barrier);
  keep(a);
  return unused;
}

int main(void) {
  pthread_t s, t;
  pthread_barrier_init(&barrier, 0, 2);
  pthread_create(&s, 0, first, 0);
  pthread_create(&t, 0, second, 0);
  pthread_join(s, 0);
  pthread_join(t, 0);
  pthread_barrier_destroy(&barrier);
  return 0;
}
