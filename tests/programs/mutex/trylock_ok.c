// A trylock that succeeds is a lock.
// EXPECT: none
#include "../support/check.h"
#include "../support/in_order.h"

int x;
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void update(void) {
  CHECK(pthread_mutex_trylock(&mutex) == 0);
  ++x;
  pthread_mutex_unlock(&mutex);
}

int main(void) {
  in_order(update, update);
  return 0;
}
