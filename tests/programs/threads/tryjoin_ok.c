// pthread_tryjoin_np, asked until the thread has ended, is a join.
// EXPECT: none
#define _GNU_SOURCE
#include <errno.h>

#include "../support/in_order.h"

int x;

static void* thread(void* unused) {
  x = 1;
  return unused;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, thread, 0);
  while (pthread_tryjoin_np(t, 0) == EBUSY) inv_yield();
  x = 2;
  return 0;
}
