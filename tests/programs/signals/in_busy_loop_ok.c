// A thread that computes without any call gets its signal all the same.
// EXPECT: none
#include <signal.h>

#include "../support/in_order.h"

volatile sig_atomic_t stop;
static __thread long rounds;

static void handle(int signal_number) { stop = signal_number; }
static void* spin(void* unused) {
  inv_post(1);
  while (!stop) rounds += 1;
  return unused;
}

int main(void) {
  pthread_t t;
  signal(SIGUSR1, handle);
  pthread_create(&t, 0, spin, 0);
  inv_wait(1);
  pthread_kill(t, SIGUSR1);
  pthread_join(t, 0);
  return 0;
}
