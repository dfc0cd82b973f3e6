// The child is joined, its own child is not: the grandchild's write is not ordered.
// EXPECT: race
#include "../support/in_order.h"

int x;

static void* grandchild(void* unused) {
  x = 1;  // RACE A
  inv_post(1);
  inv_wait(2);
  return unused;
}
static void* child(void* unused) {
  pthread_t t;
  pthread_create(&t, 0, grandchild, 0);
  pthread_detach(t);
  return unused;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, child, 0);
  pthread_join(t, 0);
  inv_wait(1);
  x = 2;  // RACE B
  inv_post(2);
  return 0;
}
