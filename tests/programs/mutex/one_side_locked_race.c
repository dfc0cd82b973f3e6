// Only one of the two threads takes the lock.
// EXPECT: race
#include "../support/in_order.h"

int x;
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void first(void) {
  pthread_mutex_lock(&mutex);
  x = 1;  // RACE A
  pthread_mutex_unlock(&mutex);
}
static void second(void) { keep(x); }  // RACE B

int main(void) {
  in_order(first, second);
  return 0;
}
