// A handler leaves by siglongjmp; what follows in the thread races.
// EXPECT: race
#include <setjmp.h>
#include <signal.h>

#include "../support/elsewhere.h"
#include "../support/in_order.h"

int x;
static __thread sigjmp_buf back;

static void handle(int signal_number) { siglongjmp(back, signal_number); }
static NOINLINE void interrupted(int depth) {
  if (opaque(depth) == 0) raise(SIGUSR1);
  if (depth > 0) interrupted(depth - 1);
  keep(depth);
}
static void use(int value) {
  for (volatile int i = 0; i < 10; ++i)
    if (sigsetjmp(back, 1) == 0) interrupted(4);
  store_elsewhere(&x, value);  // RACE A|B
}
static void first(void) { use(1); }
static void second(void) { use(2); }

int main(void) {
  signal(SIGUSR1, handle);
  in_order(first, second);
  return 0;
}
