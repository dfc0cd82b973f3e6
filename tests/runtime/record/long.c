// A few million accesses of two threads that hand a token to and fro.
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static long cells[4096], sum;

static void* work(void* arg) {
  const long id = (long)arg;
  for (long i = 0; i < 400; ++i) {
    for (long j = id; j < 4096; j += 2) cells[j] += i * j;
    pthread_mutex_lock(&lock);
    sum += cells[(i & ~1L) | id] & 1 ? id : 1;
    pthread_mutex_unlock(&lock);
  }
  return 0;
}

int main(void) {
  pthread_t threads[2];
  for (long i = 0; i < 2; ++i) pthread_create(&threads[i], 0, work, (void*)i);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], 0);
  return sum == 0;
}
