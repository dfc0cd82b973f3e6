// main returns while a thread is still blocked for good.
// EXPECT: none
// EXIT: 7
#include "../support/in_order.h"

static void* thread(void* unused) {
  inv_post(1);
  inv_wait(1000);
  return unused;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, thread, 0);
  inv_wait(1);
  return 7;
}
