// Each thread holds a mutex, but not the same one.
// EXPECT: race
#include "../support/in_order.h"

int x;
pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;

static void first(void) {
  pthread_mutex_lock(&a);
  x = 1;  // RACE A
  pthread_mutex_unlock(&a);
}
static void second(void) {
  pthread_mutex_lock(&b);
  x = 2;  // RACE B
  pthread_mutex_unlock(&b);
}

int main(void) {
  in_order(first, second);
  return 0;
}
