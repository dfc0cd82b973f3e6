// A blocked signal stays pending until its thread unblocks it.
// EXPECT: none
#include <signal.h>

#include "../support/check.h"
#include "../support/in_order.h"

int handled;

static void handle(int signal_number) { handled = signal_number; }
static void* thread(void* unused) {
  sigset_t set, pending;
  sigemptyset(&set);
  sigaddset(&set, SIGUSR1);
  pthread_sigmask(SIG_BLOCK, &set, 0);
  inv_post(1);
  inv_wait(2);
  CHECK(sigpending(&pending) == 0 && sigismember(&pending, SIGUSR1) == 1);
  CHECK(handled == 0);
  pthread_sigmask(SIG_UNBLOCK, &set, 0);
  CHECK(handled == SIGUSR1);
  return unused;
}

int main(void) {
  pthread_t t;
  signal(SIGUSR1, handle);
  pthread_create(&t, 0, thread, 0);
  inv_wait(1);
  pthread_kill(t, SIGUSR1);
  inv_post(2);
  pthread_join(t, 0);
  return 0;
}
