// A handler reads what another thread wrote; its own thread was blocked in sigsuspend.
// EXPECT: race
#include <signal.h>

#include "../support/in_order.h"

int x;
sigset_t without;

static void handle(int signal_number) {
  (void)signal_number;
  keep(x);  // RACE B
}
static void* target(void* unused) {
  inv_post(1);
  sigsuspend(&without);
  return unused;
}
static void* writer(void* unused) {
  inv_wait(1);
  x = 1;  // RACE A
  inv_post(2);
  return unused;
}

int main(void) {
  pthread_t t, w;
  sigset_t set;
  struct sigaction action = {.sa_handler = handle};
  sigaction(SIGUSR1, &action, 0);
  sigemptyset(&set);
  sigaddset(&set, SIGUSR1);
  pthread_sigmask(SIG_BLOCK, &set, &without);
  pthread_create(&t, 0, target, 0);
  pthread_create(&w, 0, writer, 0);
  inv_wait(2);
  pthread_kill(t, SIGUSR1);
  pthread_join(t, 0);
  pthread_join(w, 0);
  return 0;
}
