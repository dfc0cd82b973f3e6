// A thousand signals to oneself, with accesses in the handler and between them.
// EXPECT: none
#include <signal.h>

#include "../support/check.h"
#include "../support/in_order.h"

static __thread volatile int mine;  // raise is declared not to call back into this file

static void handle(int signal_number) {
  (void)signal_number;
  ++mine;
}
static void use(void) {
  for (int i = 0; i < 1000; ++i) {
    raise(SIGUSR1);
    ++mine;
  }
  CHECK(mine == 2000);
}

int main(void) {
  signal(SIGUSR1, handle);
  in_order(use, use);
  return 0;
}
