// Two fibers of one thread, announced as such: switching orders them.
// EXPECT: none
#include <ucontext.h>

#include "../support/annotations.h"
#include "../support/in_order.h"

ucontext_t main_context, fiber_context;
void *main_fiber, *fiber;
ALONE int x;
static char stack[1 << 16];

static void run(void) {
  for (;;) {
    ++x;
    CALL(__tsan_switch_to_fiber, main_fiber, 0);
    swapcontext(&fiber_context, &main_context);
  }
}

int main(void) {
  getcontext(&fiber_context);
  fiber_context.uc_stack.ss_sp = stack;
  fiber_context.uc_stack.ss_size = sizeof stack;
  makecontext(&fiber_context, run, 0);
  main_fiber = __tsan_get_current_fiber ? __tsan_get_current_fiber() : 0;
  fiber = __tsan_create_fiber ? __tsan_create_fiber(0) : 0;
  for (int i = 0; i < 10; ++i) {
    ++x;
    CALL(__tsan_switch_to_fiber, fiber, 0);
    swapcontext(&main_context, &fiber_context);
  }
  CALL(__tsan_destroy_fiber, fiber);
  return x == 20 ? 0 : 1;
}
