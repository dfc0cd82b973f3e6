// An unlock that fails, since the mutex is not held, releases nothing.
// EXPECT: race
#define _GNU_SOURCE
#include <errno.h>

#include "../support/check.h"
#include "../support/in_order.h"

ALONE int x;
ALONE pthread_mutex_t mutex = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;

static void first(void) {
  x = 1;  // RACE A
  CHECK(pthread_mutex_unlock(&mutex) == EPERM);
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
