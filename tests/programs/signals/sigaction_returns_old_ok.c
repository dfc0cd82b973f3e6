// sigaction and signal give back the handlers that the program set.
// EXPECT: none
#include <signal.h>

#include "../support/check.h"

static void one(int signal_number) { (void)signal_number; }
static void two(int signal_number) { (void)signal_number; }

int main(void) {
  struct sigaction action = {.sa_handler = one}, old;
  CHECK(sigaction(SIGUSR1, &action, &old) == 0 && old.sa_handler == SIG_DFL);
  CHECK(signal(SIGUSR1, two) == one);
  CHECK(sigaction(SIGUSR1, 0, &old) == 0 && old.sa_handler == two);
  CHECK(signal(SIGUSR1, SIG_IGN) == two);
  raise(SIGUSR1);
  CHECK(signal(SIGUSR1, SIG_DFL) == SIG_IGN);
  return 0;
}
