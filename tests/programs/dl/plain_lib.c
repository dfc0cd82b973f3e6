// A library that is not instrumented: it calls back, under a lock of its own or in a new thread.
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

void call(void (*function)(void)) { function(); }

void call_locked(void (*function)(void)) {
  pthread_mutex_lock(&mutex);
  function();
  pthread_mutex_unlock(&mutex);
}

static void* thread(void* function) {
  (*(void (**)(void))function)();
  return 0;
}

void call_in_thread(void (*function)(void)) {
  pthread_t t;
  pthread_create(&t, 0, thread, &function);
  pthread_join(t, 0);
}
