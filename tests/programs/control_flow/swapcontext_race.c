// A context that one thread runs writes what another thread reads.
// EXPECT: race
#include <ucontext.h>

#include "../support/in_order.h"

ucontext_t main_context, other_context;
int x;
static char stack[1 << 16];

static void other(void) {
  x = 1;  // RACE A
  swapcontext(&other_context, &main_context);
}
static void first(void) {
  getcontext(&other_context);
  other_context.uc_stack.ss_sp = stack;
  other_context.uc_stack.ss_size = sizeof stack;
  makecontext(&other_context, other, 0);
  swapcontext(&main_context, &other_context);
}
static void second(void) { keep(x); }  // RACE B

int main(void) {
  in_order(first, second);
  return 0;
}
