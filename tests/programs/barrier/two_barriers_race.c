// Two pairs of threads, a barrier each: the pairs are not ordered with each other.
// EXPECT: race
#include "../support/in_order.h"

int x;
pthread_barrier_t barriers[2];

static void* writer(void* unused) {
  x = 1;  // RACE A
  pthread_barrier_wait(&barriers[0]);
  inv_post(1);
  return unused;
}
static void* reader(void* unused) {
  inv_wait(1);
  pthread_barrier_wait(&barriers[1]);
  keep(x);  // RACE B
  return unused;
}
static void* passer(void* barrier) {
  pthread_barrier_wait((pthread_barrier_t*)barrier);
  return 0;
}

int main(void) {
  pthread_t t[4];
  pthread_barrier_init(&barriers[0], 0, 2);
  pthread_barrier_init(&barriers[1], 0, 2);
  pthread_create(&t[0], 0, writer, 0);
  pthread_create(&t[1], 0, passer, &barriers[0]);
  pthread_create(&t[2], 0, reader, 0);
  pthread_create(&t[3], 0, passer, &barriers[1]);
  for (int i = 0; i < 4; ++i) pthread_join(t[i], 0);
  return 0;
}
