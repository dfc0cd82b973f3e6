// mtx_timedlock that succeeds is a lock.
// EXPECT: none
#include <threads.h>
#include <time.h>

#include "../support/check.h"
#include "../support/in_order.h"

int x;
mtx_t mutex;

static void update(void) {
  struct timespec later = {time(0) + 1000, 0};
  CHECK(mtx_timedlock(&mutex, &later) == thrd_success);
  ++x;
  mtx_unlock(&mutex);
}

int main(void) {
  mtx_init(&mutex, mtx_timed);
  in_order(update, update);
  return 0;
}
