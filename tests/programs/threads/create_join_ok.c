// Creation orders what came before it, a join what the thread did.
// EXPECT: none
#include "../support/in_order.h"

int x;

static void* thread(void* unused) {
  ++x;
  return unused;
}

int main(void) {
  pthread_t t;
  x = 1;
  pthread_create(&t, 0, thread, 0);
  pthread_join(t, 0);
  return x == 2 ? 0 : 1;
}
