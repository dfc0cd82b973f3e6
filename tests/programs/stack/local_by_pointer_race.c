// Two threads store to a local variable of the main thread.
// EXPECT: race
#include "../support/in_order.h"

static void* first(void* local) {
  *(int*)local = 1;  // RACE A
  inv_post(1);
  return 0;
}
static void* second(void* local) {
  inv_wait(1);
  *(int*)local = 2;  // RACE B
  return 0;
}

int main(void) {
  int local = 0;
  pthread_t a, b;
  pthread_create(&a, 0, first, &local);
  pthread_create(&b, 0, second, &local);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return local == 2 ? 0 : 1;
}
