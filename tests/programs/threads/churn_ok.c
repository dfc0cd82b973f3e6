// Two thousand short threads, one after the other, count one variable up.
// EXPECT: none
#include "../support/check.h"
#include "../support/in_order.h"

int x;

static void* thread(void* unused) {
  ++x;
  return unused;
}

int main(void) {
  for (int i = 0; i < 2000; ++i) {
    pthread_t t;
    CHECK(pthread_create(&t, 0, thread, 0) == 0);
    CHECK(pthread_join(t, 0) == 0);
  }
  return x == 2000 ? 0 : 1;
}
