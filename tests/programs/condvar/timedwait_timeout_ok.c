// A timed wait that times out has given up the mutex and taken it again.
// EXPECT: none
#include <errno.h>
#include <time.h>

#include "../support/check.h"
#include "../support/in_order.h"

int data;
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t changed = PTHREAD_COND_INITIALIZER;

static void update(void) {
  struct timespec past = {0, 0};
  pthread_mutex_lock(&mutex);
  ++data;
  CHECK(pthread_cond_timedwait(&changed, &mutex, &past) == ETIMEDOUT);
  ++data;
  pthread_mutex_unlock(&mutex);
}

int main(void) {
  in_order(update, update);
  return 0;
}
