// A cancelled thread runs its cleanup handlers before the join returns.
// EXPECT: none
#include <unistd.h>

#include "../support/check.h"
#include "../support/in_order.h"

int x;

static void clean(void* value) { ++*(int*)value; }
static void* thread(void* unused) {
  pthread_cleanup_push(clean, &x);
  ++x;
  inv_post(1);
  for (;;) pause();
  pthread_cleanup_pop(0);
  return unused;
}

int main(void) {
  pthread_t t;
  void* result = 0;
  pthread_create(&t, 0, thread, 0);
  inv_wait(1);
  pthread_cancel(t);
  pthread_join(t, &result);
  CHECK(result == PTHREAD_CANCELED);
  return x == 2 ? 0 : 1;
}
