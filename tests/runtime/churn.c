// A hundred thousand threads come and go, and a race of the first one with the last is still found.
#include <stdio.h>
#include <stdlib.h>

#include "../programs/support/in_order.h"

enum { kThreads = 100000, kAtOnce = 8 };
int x;

static void* first(void* unused) {
  x = 1;
  inv_post(1);
  return unused;
}
static void* passer(void* unused) { return unused; }
static void* last(void* unused) {
  x = 2;
  return unused;
}

int main(void) {
  pthread_t t[kAtOnce];
  if (pthread_create(&t[0], NULL, first, NULL) != 0) abort();
  pthread_detach(t[0]);
  inv_wait(1);
  for (int i = 0; i < kThreads; i += kAtOnce) {
    for (int k = 0; k < kAtOnce; ++k)
      if (pthread_create(&t[k], NULL, passer, NULL) != 0) abort();
    for (int k = 0; k < kAtOnce; ++k) pthread_join(t[k], NULL);
  }
  if (pthread_create(&t[0], NULL, last, NULL) != 0) abort();
  pthread_join(t[0], NULL);
  return 0;
}
