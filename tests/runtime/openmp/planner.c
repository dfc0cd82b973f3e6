// A library of a program that uses OpenMP, with a lock of its own.
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static long sum;

void plan(long n) {
  pthread_mutex_lock(&mutex);
  sum += n;
  pthread_mutex_unlock(&mutex);
}
