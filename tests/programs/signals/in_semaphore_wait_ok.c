// A thread blocked in sem_wait gets its signal at once; the handler posts the semaphore.
// EXPECT: none
#include <errno.h>
#include <semaphore.h>
#include <signal.h>

#include "../support/check.h"
#include "../support/in_order.h"

int handled, waiter_tid;
sem_t semaphore;

static void handle(int signal_number) {
  handled = signal_number;
  sem_post(&semaphore);
}
static void* waiter(void* unused) {
  __atomic_store_n(&waiter_tid, inv_tid(), __ATOMIC_RELAXED);
  inv_post(1);
  while (sem_wait(&semaphore) == -1) CHECK(errno == EINTR);
  CHECK(handled == SIGUSR1);
  return unused;
}

int main(void) {
  pthread_t t;
  sem_init(&semaphore, 0, 0);
  signal(SIGUSR1, handle);
  pthread_create(&t, 0, waiter, 0);
  inv_wait(1);
  inv_wait_blocked(__atomic_load_n(&waiter_tid, __ATOMIC_RELAXED));
  pthread_kill(t, SIGUSR1);
  pthread_join(t, 0);
  return 0;
}
