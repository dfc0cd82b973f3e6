// thrd_create and thrd_join order as their POSIX kin do.
// EXPECT: none
#include <threads.h>

#include "../support/check.h"
#include "../support/invisible.h"

int x;

static int thread(void* unused) {
  (void)unused;
  return ++x;
}

int main(void) {
  thrd_t t;
  int result = 0;
  x = 1;
  CHECK(thrd_create(&t, thread, 0) == thrd_success);
  CHECK(thrd_join(t, &result) == thrd_success && result == 2);
  return ++x == 3 ? 0 : 1;
}
