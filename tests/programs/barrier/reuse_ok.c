// Three threads pass the same barrier twenty times, each reading its neighbour's cell in between.
// EXPECT: none
#include "../support/in_order.h"

int cells[3];
pthread_barrier_t barrier;

static void* work(void* argument) {
  long me = (long)argument;
  for (int round = 0; round < 10; ++round) {
    cells[me] = round;
    pthread_barrier_wait(&barrier);
    keep(cells[(me + 1) % 3]);
    pthread_barrier_wait(&barrier);
  }
  return 0;
}

int main(void) {
  pthread_t threads[3];
  pthread_barrier_init(&barrier, 0, 3);
  for (long i = 0; i < 3; ++i) pthread_create(&threads[i], 0, work, (void*)i);
  for (int i = 0; i < 3; ++i) pthread_join(threads[i], 0);
  return 0;
}
