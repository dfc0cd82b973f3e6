// Creation and joining are transitive over three generations.
// EXPECT: none
#include "../support/in_order.h"

int x;

static void* grandchild(void* unused) {
  ++x;
  return unused;
}
static void* child(void* unused) {
  pthread_t t;
  ++x;
  pthread_create(&t, 0, grandchild, 0);
  pthread_join(t, 0);
  ++x;
  return unused;
}

int main(void) {
  pthread_t t;
  x = 1;
  pthread_create(&t, 0, child, 0);
  pthread_join(t, 0);
  return x == 4 ? 0 : 1;
}
