// A handler interrupts its own thread: what both touch is no race between threads.
// EXPECT: none
#include <signal.h>

#include "../support/in_order.h"

int x;

static void handle(int signal_number) { x += signal_number; }

int main(void) {
  signal(SIGUSR1, handle);
  x = 1;
  raise(SIGUSR1);
  return x == 1 + SIGUSR1 ? 0 : 1;
}
