// One race in every run. A detector that says nothing about it is not at work, and its time
// would be no measurement.
#include <pthread.h>

int shared;

static void* work(void* argument) {
  shared = 1;
  return argument;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, work, 0);
  shared = 2;
  pthread_join(thread, 0);
  return 0;
}
