// The one thread told to be serial gathers what all wrote before the barrier.
// EXPECT: none
#include "../support/in_order.h"

int cells[4], sum;
pthread_barrier_t barrier;

static void* work(void* argument) {
  cells[(long)argument] = 1;
  if (pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD)
    for (int i = 0; i < 4; ++i) sum += cells[i];
  return 0;
}

int main(void) {
  pthread_t threads[4];
  pthread_barrier_init(&barrier, 0, 4);
  for (long i = 0; i < 4; ++i) pthread_create(&threads[i], 0, work, (void*)i);
  for (int i = 0; i < 4; ++i) pthread_join(threads[i], 0);
  return sum == 4 ? 0 : 1;
}
