// Two thousand detached threads, each with memory of its own, at most a few alive at once.
// EXPECT: none
#include "../support/check.h"
#include "../support/in_order.h"

int cells[2000];

static void* thread(void* cell) {
  *(int*)cell = 1;
  inv_arrive();
  return 0;
}

int main(void) {
  for (int i = 0; i < 2000; ++i) {
    pthread_t t;
    CHECK(pthread_create(&t, 0, thread, &cells[i]) == 0);
    pthread_detach(t);
    inv_wait(i + 1);
  }
  return 0;
}
