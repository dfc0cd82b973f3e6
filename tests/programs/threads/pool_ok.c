// Three workers take forty jobs from a queue; the results are read after the joins.
// EXPECT: none
#include "../support/in_order.h"

int results[40], next, finished;
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t more = PTHREAD_COND_INITIALIZER;
int available;

static void* worker(void* unused) {
  for (;;) {
    pthread_mutex_lock(&mutex);
    while (next == available && !finished) pthread_cond_wait(&more, &mutex);
    if (next == available) break;
    int job = next++;
    pthread_mutex_unlock(&mutex);
    results[job] = job * job;
  }
  pthread_mutex_unlock(&mutex);
  return unused;
}

int main(void) {
  pthread_t threads[3];
  int sum = 0;
  for (int i = 0; i < 3; ++i) pthread_create(&threads[i], 0, worker, 0);
  for (int i = 1; i <= 40; ++i) {
    pthread_mutex_lock(&mutex);
    available = i;
    finished = i == 40;
    pthread_cond_broadcast(&more);
    pthread_mutex_unlock(&mutex);
  }
  for (int i = 0; i < 3; ++i) pthread_join(threads[i], 0);
  for (int i = 0; i < 40; ++i) sum += results[i];
  return sum == 20540 ? 0 : 1;
}
