// One thread releases a hundred million times: its clock runs out and starts anew, again and again.
// What it did before the first and after the last is still told from what another thread does.
#include <stdio.h>
#include <stdlib.h>

#include "../programs/support/in_order.h"

int before, after, guarded;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void* releaser(void* unused) {
  before = 1;
  for (long i = 0; i < 100000000; ++i) {
    pthread_mutex_lock(&mutex);
    ++guarded;
    pthread_mutex_unlock(&mutex);
  }
  after = 1;
  inv_post(1);
  return unused;
}
static void* other(void* unused) {
  inv_wait(1);
  before = 2;
  after = 2;
  pthread_mutex_lock(&mutex);
  ++guarded;
  pthread_mutex_unlock(&mutex);
  return unused;
}

int main(void) {
  pthread_t t[2];
  if (pthread_create(&t[0], NULL, releaser, NULL) != 0) abort();
  if (pthread_create(&t[1], NULL, other, NULL) != 0) abort();
  pthread_join(t[0], NULL);
  pthread_join(t[1], NULL);
  printf("%d\n", guarded);
  return 0;
}
