// After a handler left by siglongjmp its signal is delivered again, a hundred times.
// EXPECT: none
#include <setjmp.h>
#include <signal.h>

#include "../support/check.h"

static sigjmp_buf back;
volatile int jumps;

static void handle(int signal_number) {
  jumps = jumps + 1;
  siglongjmp(back, signal_number);
}

int main(void) {
  signal(SIGUSR1, handle);
  for (volatile int i = 0; i < 100; ++i)
    if (sigsetjmp(back, 1) == 0) raise(SIGUSR1);
  CHECK(jumps == 100);
  return 0;
}
