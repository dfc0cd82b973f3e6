// Unprotected accesses, ordered in this run by critical sections that do not hold them.
// EXPECT: none
#include "../support/in_order.h"

int x;
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void first(void) {
  x = 1;
  pthread_mutex_lock(&mutex);
  pthread_mutex_unlock(&mutex);
}
static void second(void) {
  pthread_mutex_lock(&mutex);
  pthread_mutex_unlock(&mutex);
  x = 2;
}

int main(void) {
  in_order(first, second);
  return 0;
}
