// A bounded queue of three, two condition variables, a hundred items.
// EXPECT: none
#include "../support/in_order.h"

int items[3], count, total;
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t not_full = PTHREAD_COND_INITIALIZER, not_empty = PTHREAD_COND_INITIALIZER;

static void* produce(void* unused) {
  for (int i = 1; i <= 100; ++i) {
    pthread_mutex_lock(&mutex);
    while (count == 3) pthread_cond_wait(&not_full, &mutex);
    items[count++] = i;
    pthread_cond_signal(&not_empty);
    pthread_mutex_unlock(&mutex);
  }
  return unused;
}
static void* consume(void* unused) {
  for (int i = 1; i <= 100; ++i) {
    pthread_mutex_lock(&mutex);
    while (count == 0) pthread_cond_wait(&not_empty, &mutex);
    total += items[--count];
    pthread_cond_signal(&not_full);
    pthread_mutex_unlock(&mutex);
  }
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, produce, 0);
  pthread_create(&b, 0, consume, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return total == 5050 ? 0 : 1;
}
