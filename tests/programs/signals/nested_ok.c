// A handler is interrupted by another signal's handler.
// EXPECT: none
#include <signal.h>

#include "../support/check.h"

int digits;

static void inner(int signal_number) {
  (void)signal_number;
  digits = 10 * digits + 2;
}
static void outer(int signal_number) {
  (void)signal_number;
  digits = 10 * digits + 1;
  raise(SIGUSR2);
  digits = 10 * digits + 3;
}

int main(void) {
  signal(SIGUSR1, outer);
  signal(SIGUSR2, inner);
  raise(SIGUSR1);
  return digits == 123 ? 0 : 1;
}
