// One thread joins another and is then joined itself: order passes on.
// EXPECT: none
#include "../support/in_order.h"

int x;
pthread_t worker;

static void* work(void* unused) {
  x = 1;
  return unused;
}
static void* join_worker(void* unused) {
  pthread_join(worker, 0);
  return unused;
}

int main(void) {
  pthread_t joiner;
  pthread_create(&worker, 0, work, 0);
  pthread_create(&joiner, 0, join_worker, 0);
  pthread_join(joiner, 0);
  x = 2;
  return 0;
}
