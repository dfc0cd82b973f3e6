// A robust mutex whose owners behave is an ordinary one.
// EXPECT: none
#include "../support/in_order.h"

int x;
pthread_mutex_t mutex;

static void update(void) {
  pthread_mutex_lock(&mutex);
  ++x;
  pthread_mutex_unlock(&mutex);
}

int main(void) {
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
  pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
  pthread_mutex_init(&mutex, &attributes);
  in_order(update, update);
  pthread_mutex_destroy(&mutex);
  return 0;
}
