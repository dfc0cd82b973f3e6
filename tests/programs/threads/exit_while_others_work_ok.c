// main returns while two threads are busy with memory of their own.
// EXPECT: none
// EXIT: 7
#include "../support/in_order.h"

long cells[2][8];

static void* thread(void* argument) {
  long* cell = (long*)argument;
  for (long i = 0;; ++i) {
    cell[opaque(0)] = i;
    if (i == 1000) inv_arrive();
  }
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, thread, cells[0]);
  pthread_create(&t, 0, thread, cells[1]);
  inv_wait(2);
  return 7;
}
