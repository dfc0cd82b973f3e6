// Fifty thousand jumps out of nested frames leave nothing behind.
// EXPECT: none
#include <setjmp.h>

#include "../support/in_order.h"

int x;
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static NOINLINE void jump_from(jmp_buf back, int depth) {
  if (opaque(depth) > 0)
    jump_from(back, depth - 1);
  else if (opaque(1))
    longjmp(back, 1);
  keep(depth);
}
static void use(void) {
  jmp_buf back;
  for (volatile int i = 0; i < 25000; ++i)
    if (setjmp(back) == 0) jump_from(back, 4);
  pthread_mutex_lock(&mutex);
  ++x;
  pthread_mutex_unlock(&mutex);
}

int main(void) {
  in_order(use, use);
  return 0;
}
