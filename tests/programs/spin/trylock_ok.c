// A spin trylock that succeeds is a lock.
// EXPECT: none
#include "../support/check.h"
#include "../support/in_order.h"

int x;
pthread_spinlock_t lock;

static void update(void) {
  CHECK(pthread_spin_trylock(&lock) == 0);
  ++x;
  pthread_spin_unlock(&lock);
}

int main(void) {
  pthread_spin_init(&lock, PTHREAD_PROCESS_PRIVATE);
  in_order(update, update);
  return 0;
}
