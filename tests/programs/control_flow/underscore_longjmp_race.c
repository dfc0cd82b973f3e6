// The same with _setjmp and _longjmp, which leave the signal mask alone.
// EXPECT: race
#include <setjmp.h>

#include "../support/elsewhere.h"
#include "../support/in_order.h"

int x;

static NOINLINE void jump_from(jmp_buf back, int depth) {
  if (opaque(depth) > 0)
    jump_from(back, depth - 1);
  else if (opaque(1))
    _longjmp(back, 1);
  keep(depth);
}
static void use(int value) {
  jmp_buf back;
  if (_setjmp(back) == 0) jump_from(back, 6);
  store_elsewhere(&x, value);  // RACE A|B
}
static void first(void) { use(1); }
static void second(void) { use(2); }

int main(void) {
  in_order(first, second);
  return 0;
}
