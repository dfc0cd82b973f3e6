// The destructor of a C11 thread-specific object runs before the join returns.
// EXPECT: none
#include <threads.h>

#include "../support/invisible.h"

int x;
tss_t key;

static void destroy(void* value) { ++*(int*)value; }
static int thread(void* unused) {
  (void)unused;
  tss_set(key, &x);
  return ++x;
}

int main(void) {
  thrd_t t;
  tss_create(&key, destroy);
  thrd_create(&t, thread, 0);
  thrd_join(t, 0);
  return x == 2 ? 0 : 1;
}
