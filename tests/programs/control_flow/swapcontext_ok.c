// One thread goes back and forth between two contexts that share data.
// EXPECT: none
#include <ucontext.h>

#include "../support/in_order.h"

ucontext_t main_context, other_context;
int x;
static char stack[1 << 16];

static NOINLINE void step(void) {
  ++x;
  swapcontext(&other_context, &main_context);
}
static void other(void) {
  for (;;) step();
}

int main(void) {
  getcontext(&other_context);
  other_context.uc_stack.ss_sp = stack;
  other_context.uc_stack.ss_size = sizeof stack;
  makecontext(&other_context, other, 0);
  for (int i = 0; i < 1000; ++i) {
    ++x;
    swapcontext(&main_context, &other_context);
  }
  return x == 2000 ? 0 : 1;
}
