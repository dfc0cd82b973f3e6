// cnd_timedwait that times out holds the mutex again.
// EXPECT: none
#include <threads.h>
#include <time.h>

#include "../support/check.h"
#include "../support/in_order.h"

int data;
mtx_t mutex;
cnd_t never;

static void update(void) {
  struct timespec past = {0, 0};
  mtx_lock(&mutex);
  ++data;
  CHECK(cnd_timedwait(&never, &mutex, &past) == thrd_timedout);
  ++data;
  mtx_unlock(&mutex);
}

int main(void) {
  mtx_init(&mutex, mtx_timed);
  cnd_init(&never);
  in_order(update, update);
  return 0;
}
