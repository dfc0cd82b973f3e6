// An exit handler reads what joined threads wrote.
// EXPECT: none
// STDOUT: 2
#include <stdio.h>

#include "../support/in_order.h"

int x;
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void show(void) { printf("%d\n", x); }
static void update(void) {
  pthread_mutex_lock(&mutex);
  ++x;
  pthread_mutex_unlock(&mutex);
}

int main(void) {
  atexit(show);
  in_order(update, update);
  return 0;
}
