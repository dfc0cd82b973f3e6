// Threads with no order between them allocate, use and free; memory goes round among them.
// EXPECT: none
#include "../support/check.h"
#include "../support/in_order.h"

int tid;

static void* thread(void* unused) {
  char* blocks[30];
  for (int i = 0; i < 30; ++i) {
    blocks[i] = (char*)malloc(200);
    for (int j = 0; j < 200; ++j) blocks[i][j] = (char)j;
  }
  for (int i = 0; i < 30; ++i) free(blocks[i]);
  __atomic_store_n(&tid, inv_tid(), __ATOMIC_RELAXED);
  inv_arrive();
  return unused;
}

int main(void) {
  for (int i = 0; i < 30; ++i) {
    pthread_t t;
    CHECK(pthread_create(&t, 0, thread, 0) == 0);
    pthread_detach(t);
    inv_wait(i + 1);
    inv_wait_gone(__atomic_load_n(&tid, __ATOMIC_RELAXED));
  }
  return 0;
}
