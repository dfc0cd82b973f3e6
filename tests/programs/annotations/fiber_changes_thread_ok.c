// A fiber starts in one thread and goes on in another: the switches carry its order along.
// EXPECT: none
#include <ucontext.h>

#include "../support/annotations.h"
#include "../support/in_order.h"

ucontext_t back[2], job;
void *homes[2], *fiber;
ALONE int x;
static char stack[1 << 16];

static void run_job(void) {
  x = 1;
  CALL(__tsan_switch_to_fiber, homes[0], 0);
  swapcontext(&job, &back[0]);
  x = 2;
  CALL(__tsan_switch_to_fiber, homes[1], 0);
  swapcontext(&job, &back[1]);
}
static NOINLINE void resume(int me) {
  homes[me] = __tsan_get_current_fiber ? __tsan_get_current_fiber() : 0;
  CALL(__tsan_switch_to_fiber, fiber, 0);
  swapcontext(&back[me], &job);
}
static void first(void) { resume(0); }
static void second(void) { resume(1); }

int main(void) {
  getcontext(&job);
  job.uc_stack.ss_sp = stack;
  job.uc_stack.ss_size = sizeof stack;
  makecontext(&job, run_job, 0);
  fiber = __tsan_create_fiber ? __tsan_create_fiber(0) : 0;
  in_order(first, second);
  CALL(__tsan_destroy_fiber, fiber);
  return 0;
}
