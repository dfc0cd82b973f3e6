// The same without the mutex: the context's own memory races between its two threads.
// EXPECT: race
#include <ucontext.h>

#include "../support/in_order.h"

ucontext_t back[2], job;
ALONE int x;
static char stack[1 << 16];

static void run_job(void) {
  x = 1;  // RACE A
  swapcontext(&job, &back[0]);
  x = 2;  // RACE B
  swapcontext(&job, &back[1]);
}
static void first(void) { swapcontext(&back[0], &job); }
static void second(void) { swapcontext(&back[1], &job); }

int main(void) {
  getcontext(&job);
  job.uc_stack.ss_sp = stack;
  job.uc_stack.ss_size = sizeof stack;
  makecontext(&job, run_job, 0);
  in_order(first, second);
  return 0;
}
