// A thread takes blocked signals by sigwait and hands results over under a mutex.
// EXPECT: none
#include <signal.h>

#include "../support/check.h"
#include "../support/in_order.h"

int taken;
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void* take(void* argument) {
  int signal_number = 0;
  CHECK(sigwait((sigset_t*)argument, &signal_number) == 0 && signal_number == SIGUSR2);
  pthread_mutex_lock(&mutex);
  ++taken;
  pthread_mutex_unlock(&mutex);
  return 0;
}

int main(void) {
  pthread_t t;
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGUSR2);
  pthread_sigmask(SIG_BLOCK, &set, 0);
  pthread_create(&t, 0, take, &set);
  pthread_mutex_lock(&mutex);
  ++taken;
  pthread_mutex_unlock(&mutex);
  pthread_kill(t, SIGUSR2);
  pthread_join(t, 0);
  return taken == 2 ? 0 : 1;
}
