// Write and read lie in the same phase: the barriers around them do not help.
// EXPECT: race
#include "../support/in_order.h"

int x;
pthread_barrier_t barrier;

static void* first(void* unused) {
  pthread_barrier_wait(&barrier);
  x = 1;  // RACE A
  inv_post(1);
  pthread_barrier_wait(&barrier);
  return unused;
}
static void* second(void* unused) {
  pthread_barrier_wait(&barrier);
  inv_wait(1);
  keep(x);  // RACE B
  pthread_barrier_wait(&barrier);
  return unused;
}

int main(void) {
  pthread_t s, t;
  pthread_barrier_init(&barrier, 0, 2);
  pthread_create(&s, 0, first, 0);
  pthread_create(&t, 0, second, 0);
  pthread_join(s, 0);
  pthread_join(t, 0);
  return 0;
}
