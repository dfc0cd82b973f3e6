// The main thread, blocked in pthread_join, runs the handler that lets the thread end.
// EXPECT: none
#include <semaphore.h>
#include <signal.h>
#include <unistd.h>

#include "../support/in_order.h"

int main_tid;
sem_t go;
pthread_t main_thread;

static void handle(int signal_number) {
  (void)signal_number;
  sem_post(&go);
}
static void* thread(void* unused) {
  inv_wait_blocked(main_tid);
  pthread_kill(main_thread, SIGUSR1);
  while (sem_wait(&go) == -1) {
  }
  return unused;
}

int main(void) {
  pthread_t t;
  main_tid = inv_tid();
  main_thread = pthread_self();
  sem_init(&go, 0, 0);
  signal(SIGUSR1, handle);
  pthread_create(&t, 0, thread, 0);
  pthread_join(t, 0);
  return 0;
}
