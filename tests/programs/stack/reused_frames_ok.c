// Two functions of one thread use the same stack bytes, and others saw the first's.
// EXPECT: none
#include "../support/in_order.h"

static void* thread(void* local) {
  *(int*)local = 1;
  return 0;
}
static NOINLINE void with_thread(void) {
  int locals[16] = {0};
  pthread_t t;
  pthread_create(&t, 0, thread, &locals[3]);
  pthread_join(t, 0);
  keep(locals[3]);
}
static NOINLINE void alone(void) {
  int locals[32];
  for (int i = 0; i < 32; ++i) locals[opaque(i)] = i;
  keep(locals[7]);
}

int main(void) {
  for (int i = 0; i < 20; ++i) {
    with_thread();
    alone();
  }
  return 0;
}
