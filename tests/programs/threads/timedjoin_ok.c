// pthread_timedjoin_np that succeeds is a join.
// EXPECT: none
#define _GNU_SOURCE
#include <time.h>

#include "../support/check.h"
#include "../support/in_order.h"

int x;

static void* thread(void* unused) {
  x = 1;
  return unused;
}

int main(void) {
  pthread_t t;
  struct timespec later = {time(0) + 1000, 0};
  pthread_create(&t, 0, thread, 0);
  CHECK(pthread_timedjoin_np(t, 0, &later) == 0);
  x = 2;
  return 0;
}
