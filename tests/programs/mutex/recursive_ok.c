// A recursive mutex is given up by its last unlock, not by the first.
// EXPECT: none
#define _GNU_SOURCE
#include "../support/in_order.h"

int x;
pthread_mutex_t mutex = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;

static void update(void) {
  pthread_mutex_lock(&mutex);
  pthread_mutex_lock(&mutex);
  ++x;
  pthread_mutex_unlock(&mutex);
  ++x;
  pthread_mutex_unlock(&mutex);
}

int main(void) {
  in_order(update, update);
  return 0;
}
