// pthread_exit from a nested call ends the thread; the join orders and hands over the value.
// EXPECT: none
#include "../support/check.h"
#include "../support/in_order.h"

int x;

static NOINLINE void leave(void) {
  x = 1;
  pthread_exit(&x);
}
static NOINLINE void inner(void) {
  if (opaque(1)) leave();
}
static NOINLINE void outer(void) {
  if (opaque(1)) inner();
}
static void* thread(void* unused) {
  outer();
  return unused;
}

int main(void) {
  pthread_t t;
  void* result = 0;
  pthread_create(&t, 0, thread, 0);
  pthread_join(t, &result);
  CHECK(result == &x);
  return x == 1 ? 0 : 1;
}
