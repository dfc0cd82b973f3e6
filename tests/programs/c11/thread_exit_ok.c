// thrd_exit from a nested call.
// EXPECT: none
#include <threads.h>

#include "../support/check.h"
#include "../support/invisible.h"

int x;

static NOINLINE void leave(void) {
  x = 1;
  thrd_exit(9);
}
static NOINLINE void inner(void) {
  if (opaque(1)) leave();
}
static NOINLINE void outer(void) {
  if (opaque(1)) inner();
}
static int thread(void* unused) {
  (void)unused;
  outer();
  return 0;
}

int main(void) {
  thrd_t t;
  int result = 0;
  thrd_create(&t, thread, 0);
  thrd_join(t, &result);
  CHECK(result == 9);
  return x == 1 ? 0 : 1;
}
