// A hundred threads alive at once, each with a cell of its own, then one with all of them.
// EXPECT: none
#include "../support/check.h"
#include "../support/in_order.h"

int cells[100];

static void* thread(void* cell) {
  *(int*)cell = 1;
  inv_arrive();
  inv_wait(100);
  return 0;
}

int main(void) {
  pthread_t threads[100];
  int sum = 0;
  for (int i = 0; i < 100; ++i) CHECK(pthread_create(&threads[i], 0, thread, &cells[i]) == 0);
  for (int i = 0; i < 100; ++i) pthread_join(threads[i], 0);
  for (int i = 0; i < 100; ++i) sum += cells[i];
  return sum == 100 ? 0 : 1;
}
