// A block is walked over, freed, and comes back through another thread as a new one, all before the
// first thread releases anything: its second walk is an access of its own, and races.
// EXPECT: race
#include <malloc.h>
#include <pthread.h>
#include <stdlib.h>

#include "../support/in_order.h"

enum { kCount = 2500 };

long* block;
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static __attribute__((noinline)) void fill(long* numbers, int n) {
  for (int i = 0; i < n; ++i) numbers[i] = i;  // RACE A
}

static void* walker(void* none) {
  pthread_mutex_lock(&mutex);
  pthread_mutex_unlock(&mutex);
  long* mine = malloc(kCount * sizeof *mine);
  fill(mine, opaque(kCount));
  free(mine);
  inv_post(1);
  inv_wait(2);
  pthread_mutex_lock(&mutex);  // only acquires what comes next
  fill(block, opaque(kCount / 2));
  inv_post(3);
  inv_wait(4);
  pthread_mutex_unlock(&mutex);
  return none;
}
static void* allocator(void* none) {
  inv_wait(1);
  pthread_mutex_lock(&mutex);
  block = malloc(kCount / 2 * sizeof *block);  // lies somewhere in the first one
  pthread_mutex_unlock(&mutex);
  inv_post(2);
  return none;
}
static __attribute__((noinline, no_sanitize("thread"))) long* peek(void) {
  return block;
}
static void* third(void* none) {
  inv_wait(3);
  peek()[kCount / 4] = 1;  // RACE B
  inv_post(4);
  return none;
}

int main(void) {
  mallopt(M_ARENA_MAX, 1);  // what one thread frees, another gets
  pthread_t threads[3];
  pthread_create(&threads[0], 0, walker, 0);
  pthread_create(&threads[1], 0, allocator, 0);
  pthread_create(&threads[2], 0, third, 0);
  for (int i = 0; i < 3; ++i) pthread_join(threads[i], 0);
  return 0;
}
