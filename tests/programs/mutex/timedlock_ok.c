// A timed lock that succeeds is a lock.
// EXPECT: none
#include <time.h>

#include "../support/check.h"
#include "../support/in_order.h"

int x;
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void update(void) {
  struct timespec later = {time(0) + 1000, 0};
  CHECK(pthread_mutex_timedlock(&mutex, &later) == 0);
  ++x;
  pthread_mutex_unlock(&mutex);
}

int main(void) {
  in_order(update, update);
  return 0;
}
