// The thread-local memory of an ended thread serves the next one, with no order between them.
// EXPECT: none
#include "../support/check.h"
#include "../support/in_order.h"

static __thread int mine[256];
int tid;

static void* thread(void* unused) {
  for (int i = 0; i < 256; ++i) mine[i] += i;
  __atomic_store_n(&tid, inv_tid(), __ATOMIC_RELAXED);
  inv_arrive();
  return unused;
}

int main(void) {
  for (int i = 0; i < 50; ++i) {
    pthread_t t;
    CHECK(pthread_create(&t, 0, thread, 0) == 0);
    pthread_detach(t);
    inv_wait(i + 1);
    inv_wait_gone(__atomic_load_n(&tid, __ATOMIC_RELAXED));
  }
  return 0;
}
