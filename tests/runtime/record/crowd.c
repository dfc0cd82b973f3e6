// More threads than the recorder's memory has spare chunks, all alive at once.
#include <pthread.h>

enum { kThreads = 600, kEach = 5000 };
static pthread_barrier_t barrier;
static long cells[kThreads][16];

static void* work(void* arg) {
  long* mine = cells[(long)arg];
  pthread_barrier_wait(&barrier);
  for (long i = 0; i < kEach; ++i) __asm__ volatile("" ::"r"(mine[i & 15] += i));
  pthread_barrier_wait(&barrier);
  return 0;
}

int main(void) {
  static pthread_t threads[kThreads];
  pthread_attr_t small;
  pthread_attr_init(&small);
  pthread_attr_setstacksize(&small, 64 * 1024);
  pthread_barrier_init(&barrier, 0, kThreads);
  for (long i = 0; i < kThreads; ++i) pthread_create(&threads[i], &small, work, (void*)i);
  for (int i = 0; i < kThreads; ++i) pthread_join(threads[i], 0);
  return 0;
}
