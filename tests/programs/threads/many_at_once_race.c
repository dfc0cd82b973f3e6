// Of three hundred threads alive at once the first and the last share a variable.
// EXPECT: race
#include "../support/check.h"
#include "../support/in_order.h"

enum { kThreads = 300 };
ALONE int x;

static void* thread(void* argument) {
  long me = (long)argument;
  if (me == 0) {
    x = 1;  // RACE A
  }
  inv_arrive();
  inv_wait(kThreads);
  if (me == kThreads - 1) {
    x = 2;  // RACE B
  }
  inv_arrive();
  inv_wait(2 * kThreads);
  return 0;
}

int main(void) {
  static pthread_t threads[kThreads];
  for (long i = 0; i < kThreads; ++i) CHECK(pthread_create(&threads[i], 0, thread, (void*)i) == 0);
  for (int i = 0; i < kThreads; ++i) pthread_join(threads[i], 0);
  return 0;
}
