// A context starts in one thread and goes on in another; a mutex orders the two.
// EXPECT: none
#include <ucontext.h>

#include "../support/in_order.h"

ucontext_t back[2], job;
int x, turn;
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static char stack[1 << 16];

static void run_job(void) {
  int local = 1;
  keep_address(&local);
  x += local;
  swapcontext(&job, &back[0]);
  local += 1;
  x += local;
  swapcontext(&job, &back[1]);
}
static void resume(void) {
  pthread_mutex_lock(&mutex);
  swapcontext(&back[turn++], &job);
  pthread_mutex_unlock(&mutex);
}

int main(void) {
  getcontext(&job);
  job.uc_stack.ss_sp = stack;
  job.uc_stack.ss_size = sizeof stack;
  makecontext(&job, run_job, 0);
  in_order(resume, resume);
  return x == 3 ? 0 : 1;
}
