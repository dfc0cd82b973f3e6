// sigsuspend lets the blocked signal in and returns after its handler.
// EXPECT: none
#include <errno.h>
#include <signal.h>

#include "../support/check.h"
#include "../support/in_order.h"

int handled;

static void handle(int signal_number) { handled = signal_number; }
static void use(void) {
  sigset_t block, old;
  sigemptyset(&block);
  sigaddset(&block, SIGUSR1);
  pthread_sigmask(SIG_BLOCK, &block, &old);
  raise(SIGUSR1);
  CHECK(handled == 0);
  CHECK(sigsuspend(&old) == -1 && errno == EINTR);
  CHECK(handled == SIGUSR1);
}

int main(void) {
  signal(SIGUSR1, handle);
  use();
  return 0;
}
