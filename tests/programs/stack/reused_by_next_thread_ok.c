// Threads that follow each other without any order get the same stack; that is no race.
// EXPECT: none
#include "../support/check.h"
#include "../support/in_order.h"

int tid;

static NOINLINE void touch(volatile char* bytes) {
  for (int i = 0; i < 4096; i += 8) bytes[i] = (char)i;
}
static void* thread(void* unused) {
  volatile char local[4096];
  touch(local);
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
