// The second round's write races with the first round's read: there is one barrier too few.
// EXPECT: race
#include "../support/in_order.h"

int x;
pthread_barrier_t barrier;

static void* writer(void* unused) {
  x = 1;
  pthread_barrier_wait(&barrier);
  inv_wait(1);
  x = 2;  // RACE B
  return unused;
}
static void* reader(void* unused) {
  pthread_barrier_wait(&barrier);
  keep(x);  // RACE A
  inv_post(1);
  return unused;
}

int main(void) {
  pthread_t s, t;
  pthread_barrier_init(&barrier, 0, 2);
  pthread_create(&s, 0, writer, 0);
  pthread_create(&t, 0, reader, 0);
  pthread_join(s, 0);
  pthread_join(t, 0);
  return 0;
}
