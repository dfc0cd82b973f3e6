// A hundred mutexes held at once.
// EXPECT: none
#include "../support/in_order.h"

int x;
pthread_mutex_t mutexes[100];

static void update(void) {
  for (int i = 0; i < 100; ++i) pthread_mutex_lock(&mutexes[i]);
  ++x;
  for (int i = 0; i < 100; ++i) pthread_mutex_unlock(&mutexes[i]);
}

int main(void) {
  for (int i = 0; i < 100; ++i) pthread_mutex_init(&mutexes[i], 0);
  in_order(update, update);
  return 0;
}
