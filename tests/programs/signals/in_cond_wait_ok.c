// A thread blocked in a condition wait runs its handler and goes on waiting.
// EXPECT: none
#include <semaphore.h>
#include <signal.h>

#include "../support/in_order.h"

int ready, waiter_tid;
sem_t handled;
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t changed = PTHREAD_COND_INITIALIZER;

static void handle(int signal_number) {
  (void)signal_number;
  sem_post(&handled);
}
static void* waiter(void* unused) {
  __atomic_store_n(&waiter_tid, inv_tid(), __ATOMIC_RELAXED);
  pthread_mutex_lock(&mutex);
  inv_post(1);
  while (!ready) pthread_cond_wait(&changed, &mutex);
  pthread_mutex_unlock(&mutex);
  return unused;
}

int main(void) {
  pthread_t t;
  sem_init(&handled, 0, 0);
  signal(SIGUSR1, handle);
  pthread_create(&t, 0, waiter, 0);
  inv_wait(1);
  inv_wait_blocked(__atomic_load_n(&waiter_tid, __ATOMIC_RELAXED));
  pthread_kill(t, SIGUSR1);
  sem_wait(&handled);
  pthread_mutex_lock(&mutex);
  ready = 1;
  pthread_cond_signal(&changed);
  pthread_mutex_unlock(&mutex);
  pthread_join(t, 0);
  return 0;
}
