// A handler that runs in one thread writes what another thread reads.
// EXPECT: race
#include <signal.h>

#include "../support/in_order.h"

int x;

static void handle(int signal_number) {
  x = signal_number;  // RACE A
}
static void first(void) { raise(SIGUSR1); }
static void second(void) { keep(x); }  // RACE B

int main(void) {
  signal(SIGUSR1, handle);
  in_order(first, second);
  return 0;
}
