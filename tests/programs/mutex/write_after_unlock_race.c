// The write comes after the unlock.
// EXPECT: race
#include "../support/in_order.h"

int x;
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void first(void) {
  pthread_mutex_lock(&mutex);
  pthread_mutex_unlock(&mutex);
  x = 1;  // RACE A
}
static void second(void) {
  pthread_mutex_lock(&mutex);
  keep(x);  // RACE B
  pthread_mutex_unlock(&mutex);
}

int main(void) {
  in_order(first, second);
  return 0;
}
