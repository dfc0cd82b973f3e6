// A thread fills a local array of the main thread, which reads it after the join.
// EXPECT: none
#include "../support/in_order.h"

static void* fill(void* local) {
  for (int i = 0; i < 10; ++i) ((int*)local)[i] = i;
  return 0;
}

int main(void) {
  int local[10] = {0};
  int sum = 0;
  pthread_t t;
  pthread_create(&t, 0, fill, local);
  pthread_join(t, 0);
  for (int i = 0; i < 10; ++i) sum += local[i];
  return sum == 45 ? 0 : 1;
}
