// A mutex with priority inheritance, which locks by way of the kernel.
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
  pthread_mutexattr_setprotocol(&attributes, PTHREAD_PRIO_INHERIT);
  pthread_mutex_init(&mutex, &attributes);
  in_order(update, update);
  return 0;
}
