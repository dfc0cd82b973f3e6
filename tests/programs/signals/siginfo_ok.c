// A handler with three arguments gets the value that was queued.
// EXPECT: none
#define _GNU_SOURCE
#include <signal.h>
#include <unistd.h>

#include "../support/check.h"

int value;

static void handle(int signal_number, siginfo_t* info, void* context) {
  CHECK(signal_number == SIGRTMIN && info->si_code == SI_QUEUE && context != 0);
  value = info->si_value.sival_int;
}

int main(void) {
  struct sigaction action = {.sa_sigaction = handle, .sa_flags = SA_SIGINFO};
  union sigval queued = {.sival_int = 42};
  sigaction(SIGRTMIN, &action, 0);
  CHECK(sigqueue(getpid(), SIGRTMIN, queued) == 0);
  return value == 42 ? 0 : 1;
}
