// pthread_timedjoin_np that times out orders nothing.
// EXPECT: race
#define _GNU_SOURCE
#include <errno.h>

#include "../support/check.h"
#include "../support/in_order.h"

int x;

static void* thread(void* unused) {
  x = 1;  // RACE A
  inv_post(1);
  inv_wait(2);
  return unused;
}

int main(void) {
  pthread_t t;
  struct timespec past = {0, 0};
  pthread_create(&t, 0, thread, 0);
  inv_wait(1);
  CHECK(pthread_timedjoin_np(t, 0, &past) == ETIMEDOUT);
  x = 2;  // RACE B
  inv_post(2);
  pthread_join(t, 0);
  return 0;
}
