// An error-checking mutex refuses a second lock by its owner and still protects.
// EXPECT: none
#define _GNU_SOURCE
#include <errno.h>

#include "../support/check.h"
#include "../support/in_order.h"

int x;
pthread_mutex_t mutex = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;

static void update(void) {
  CHECK(pthread_mutex_lock(&mutex) == 0);
  CHECK(pthread_mutex_lock(&mutex) == EDEADLK);
  ++x;
  CHECK(pthread_mutex_unlock(&mutex) == 0);
}

int main(void) {
  in_order(update, update);
  return 0;
}
