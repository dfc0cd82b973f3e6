// Fibers switched without order are as good as threads: their accesses race.
// EXPECT: race
#include <ucontext.h>

#include "../support/annotations.h"
#include "../support/in_order.h"

ucontext_t main_context, fiber_context;
void *main_fiber, *fiber;
ALONE int x;
static char stack[1 << 16];

static void run(void) {
  x = 1;  // RACE A
  CALL(__tsan_switch_to_fiber, main_fiber, kFiberNoSync);
  swapcontext(&fiber_context, &main_context);
}

int main(void) {
  getcontext(&fiber_context);
  fiber_context.uc_stack.ss_sp = stack;
  fiber_context.uc_stack.ss_size = sizeof stack;
  makecontext(&fiber_context, run, 0);
  main_fiber = __tsan_get_current_fiber ? __tsan_get_current_fiber() : 0;
  fiber = __tsan_create_fiber ? __tsan_create_fiber(0) : 0;
  CALL(__tsan_switch_to_fiber, fiber, kFiberNoSync);
  swapcontext(&main_context, &fiber_context);
  x = 2;  // RACE B
  CALL(__tsan_destroy_fiber, fiber);
  return 0;
}
