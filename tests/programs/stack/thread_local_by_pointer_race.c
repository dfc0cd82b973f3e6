// A thread writes to another's thread-local variable by pointer while the owner uses it.
// EXPECT: race
#include "../support/in_order.h"

static __thread int mine;

static void* thread(void* other) {
  *(int*)other = 1;  // RACE A
  inv_post(1);
  return 0;
}

int main(void) {
  pthread_t t;
  mine = 1;
  pthread_create(&t, 0, thread, &mine);
  inv_wait(1);
  mine = 2;  // RACE B
  pthread_join(t, 0);
  return 0;
}
