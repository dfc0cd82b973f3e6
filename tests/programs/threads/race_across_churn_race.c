// A detached thread's write is remembered over two thousand threads that came and went.
// EXPECT: race
#include "../support/check.h"
#include "../support/in_order.h"

ALONE int x;
ALONE int counter;

static void* writer(void* unused) {
  x = 1;  // RACE A
  inv_post(1);
  return unused;
}
static void* passer(void* unused) {
  ++counter;
  return unused;
}
static void* reader(void* unused) {
  keep(x);  // RACE B
  return unused;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, writer, 0);
  pthread_detach(t);
  inv_wait(1);
  for (int i = 0; i < 2000; ++i) {
    CHECK(pthread_create(&t, 0, passer, 0) == 0);
    pthread_join(t, 0);
  }
  pthread_create(&t, 0, reader, 0);
  pthread_join(t, 0);
  return 0;
}
