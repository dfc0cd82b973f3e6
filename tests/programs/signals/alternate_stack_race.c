// The handler runs on an alternate stack; its race is reported like any other.
// EXPECT: race
#include <signal.h>

#include "../support/check.h"
#include "../support/in_order.h"

int x;
static char stack[1 << 16];

static void handle(int signal_number) {
  x = signal_number;  // RACE A
}
static void first(void) {
  stack_t alternate = {.ss_sp = stack, .ss_size = sizeof stack};
  CHECK(sigaltstack(&alternate, 0) == 0);
  raise(SIGUSR1);
}
static void second(void) { keep(x); }  // RACE B

int main(void) {
  struct sigaction action = {.sa_handler = handle, .sa_flags = SA_ONSTACK};
  sigaction(SIGUSR1, &action, 0);
  in_order(first, second);
  return 0;
}
