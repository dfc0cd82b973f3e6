// Two threads update a counter under a pthread spin lock.
// EXPECT: none
#include "../support/in_order.h"

int x;
pthread_spinlock_t lock;

static void update(void) {
  pthread_spin_lock(&lock);
  ++x;
  pthread_spin_unlock(&lock);
}

int main(void) {
  pthread_spin_init(&lock, PTHREAD_PROCESS_PRIVATE);
  in_order(update, update);
  pthread_spin_destroy(&lock);
  return 0;
}
