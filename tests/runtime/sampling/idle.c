// Two threads for 50 ms, without a synchronisation operation after the second one's creation.
#include <pthread.h>
#include <unistd.h>

#include "invisible.h"

static void* work(void* none) {
  inv_wait(1);
  return none;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, work, 0);
  const long time[2] = {0, 50000000};
  inv_syscall(35, (long)time, 0, 0);  // nanosleep
  return 0;
}
