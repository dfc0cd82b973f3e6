// The first child is joined before the second is created.
// EXPECT: none
#include "../support/in_order.h"

int x;

static void* thread(void* unused) {
  ++x;
  return unused;
}

int main(void) {
  pthread_t t;
  for (int i = 0; i < 10; ++i) {
    pthread_create(&t, 0, thread, 0);
    pthread_join(t, 0);
  }
  return x == 10 ? 0 : 1;
}
