// Global objects are destroyed after main, ordered after the joined threads.
// EXPECT: none
// STDOUT: 2
#include <cstdio>

#include "../support/in_order.h"

struct Counter {
  int value = 0;
  pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  ~Counter() { std::printf("%d\n", value); }
} counter;

static void update() {
  pthread_mutex_lock(&counter.mutex);
  counter.value += 1;
  pthread_mutex_unlock(&counter.mutex);
}

int main() { in_order(update, update); }
