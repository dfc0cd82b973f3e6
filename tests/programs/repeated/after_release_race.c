// Read twice, with a release between: the second read is not ordered before the other thread's
// write, though the first is.
// EXPECT: race
#include <pthread.h>

#include "../support/in_order.h"

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
int value;

static void first(void) {
  pthread_mutex_lock(&mutex);
  keep(value);
  pthread_mutex_unlock(&mutex);
  keep(value);  // RACE A
}
static void second(void) {
  pthread_mutex_lock(&mutex);
  pthread_mutex_unlock(&mutex);
  value = 1;  // RACE B
}

int main(void) {
  in_order(first, second);
  return 0;
}
