// The second caller blocks while the first is still in the routine, and is ordered after it.
// EXPECT: none
#include "../support/in_order.h"

int value, second_tid;
pthread_once_t once = PTHREAD_ONCE_INIT;

static void make(void) {
  inv_post(1);
  inv_wait(2);
  inv_wait_blocked(__atomic_load_n(&second_tid, __ATOMIC_RELAXED));
  value = 42;
}
static void* first(void* unused) {
  pthread_once(&once, make);
  return unused;
}
static void* second(void* unused) {
  inv_wait(1);
  __atomic_store_n(&second_tid, inv_tid(), __ATOMIC_RELAXED);
  inv_post(2);
  pthread_once(&once, make);
  keep(value);
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, first, 0);
  pthread_create(&b, 0, second, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
